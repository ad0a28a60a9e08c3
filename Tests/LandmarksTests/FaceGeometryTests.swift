// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import Testing

/// A canonical face of a few points, seen by a camera.
@Suite struct FaceGeometryTests {
  /// Points of an ellipsoid, in centimeters.
  private static let points: [Landmark] = (0..<40).map { index in
    let (turn, height) = (Float(index) * 2.4, Float(index) / 20 - 1)
    let radius = (1 - height * height).squareRoot()
    return Landmark(x: 7 * radius * cos(turn), y: 9 * height, z: 5 * radius * sin(turn))
  }
  private static let weights = Dictionary(
    uniqueKeysWithValues: points.indices.filter { $0.isMultiple(of: 3) }.map { ($0, Float(1)) })

  /// What a camera in the origin sees of points that are turned about y and moved, their depth in
  /// the scale of x.
  private static func seen(
    _ angle: Float, _ shift: (Float, Float, Float), columns: Float, rows: Float
  ) -> [Landmark] {
    let half = tan(63 * Float.pi / 360)
    let moved = points.map { point in
      (
        x: cos(angle) * point.x + sin(angle) * point.z + shift.0, y: point.y + shift.1,
        distance: sin(angle) * point.x - cos(angle) * point.z - shift.2
      )
    }
    let mean = moved.reduce(0) { $0 + $1.distance } / Float(moved.count)
    return moved.map { point in
      let width = 2 * half * columns / rows
      return Landmark(
        x: point.x / point.distance / width + 0.5, y: 0.5 - point.y / point.distance / (2 * half),
        z: point.distance / mean / width)
    }
  }

  @Test(arguments: [(Float(0), Float(0)), (0.3, 4), (-0.5, -6)])
  func `a face is where it was put`(angle: Float, right: Float) throws {
    let geometry = try FaceGeometry(points: Self.points, weights: Self.weights)
    let landmarks = Self.seen(angle, (right, 3, -60), columns: 640, rows: 480)
    let placement = try #require(geometry.placement(of: landmarks, columns: 640, rows: 480))
    let matrix = placement.transformation.elements
    let expected: [Float] = [
      cos(angle), 0, sin(angle), right, 0, 1, 0, 3, -sin(angle), 0, cos(angle), -60, 0, 0, 0, 1,
    ]
    // The scale of depth is found in two steps, of which something remains.
    for (index, (number, wanted)) in zip(matrix, expected).enumerated() {
      #expect(abs(number - wanted) < (index == 11 ? 0.6 : index == 3 || index == 7 ? 0.1 : 0.02))
    }
    for (own, canonical) in zip(placement.points, Self.points) {
      #expect(abs(own.x - canonical.x) < 0.2 && abs(own.y - canonical.y) < 0.2)
      #expect(abs(own.z - canonical.z) < 0.3)
    }
    // A turn: perpendicular rows of one length, no reflection.
    let rows = [0, 4, 8].map { start in (0..<3).map { matrix[start + $0] } }
    func product(_ first: [Float], _ second: [Float]) -> Float {
      zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
    }
    #expect(abs(product(rows[0], rows[1])) < 1e-5 && abs(product(rows[1], rows[2])) < 1e-5)
    let volume =
      rows[0][0] * (rows[1][1] * rows[2][2] - rows[1][2] * rows[2][1])
      - rows[0][1] * (rows[1][0] * rows[2][2] - rows[1][2] * rows[2][0])
      + rows[0][2] * (rows[1][0] * rows[2][1] - rows[1][1] * rows[2][0])
    #expect(volume > 0.9)
  }

  @Test func `what is no face has no place`() throws {
    let geometry = try FaceGeometry(points: Self.points, weights: Self.weights)
    let landmarks = Self.seen(0, (0, 0, -60), columns: 640, rows: 480)
    #expect(geometry.placement(of: landmarks, columns: 0, rows: 480) == nil)
    #expect(
      geometry.placement(of: Array(landmarks.dropLast()), columns: 640, rows: 480) == nil)
    let point = landmarks.map { _ in Landmark(x: 0.5, y: 0.5) }
    #expect(geometry.placement(of: point, columns: 640, rows: 480) == nil)
    var broken = landmarks
    broken[0].x = .nan
    #expect(geometry.placement(of: broken, columns: 640, rows: 480) == nil)
    broken[0].x = .infinity
    #expect(geometry.placement(of: broken, columns: 640, rows: 480) == nil)
  }

  @Test(arguments: [[:], [0: 0], [0: -1], [99: 1], [0: .nan]] as [[Int: Float]])
  func `a canonical face needs weights`(weights: [Int: Float]) {
    #expect(throws: LandmarkError.self) {
      try FaceGeometry(points: Self.points, weights: weights)
    }
  }
}
