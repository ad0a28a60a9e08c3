// SPDX-License-Identifier: Apache-2.0

import Foundation
import Landmarks
import ModelTasks
import TestSupport
import Testing
import VisionTasks

/// Canonical faces in files, MediaPipe's and such as nobody wrote.
@Suite struct FaceGeometryFileTests {
  private static func fields(_ key: String, in text: String) -> [Float] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(whereSeparator: { $0 == ":" || $0 == " " })
      return parts.count == 2 && parts[0] == key ? Float(parts[1]) : nil
    }
  }

  /// `face_geometry_from_landmarks_graph_test.cc`.
  @Test(
    .enabled(
      if: PublishedModels.haveTasks("face_geometry_expected_out.pbtxt"),
      "no tasks/face_geometry_expected_out.pbtxt in MARTLET_TEST_MODELS"))
  func `a face's geometry is MediaPipe's`() throws {
    let bundle = try TaskBundle(
      path: PublishedModels.task("face_landmarker_v2_with_blendshapes.task"))
    let geometry = try FaceGeometry(metadata: bundle.contents(of: FaceGeometry.fileName))
    #expect(geometry.pointCount == 468 && geometry.source == .landmarks)
    let input = try String(
      contentsOfFile: PublishedModels.task("face_blendshapes_in_landmarks.prototxt"),
      encoding: .utf8)
    let (x, y) = (Self.fields("x", in: input), Self.fields("y", in: input))
    let landmarks = zip(zip(x, y), Self.fields("z", in: input)).map {
      Landmark(x: $0.0, y: $0.1, z: $1)
    }
    try #require(landmarks.count == 478)
    let placement = try #require(
      geometry.placement(of: landmarks, columns: 820, rows: 1024))
    let output = try String(
      contentsOfFile: PublishedModels.task("face_geometry_expected_out.pbtxt"), encoding: .utf8)
    let matrix = Self.fields("packed_data", in: output)
    try #require(matrix.count == 16)
    for column in 0..<4 {
      for row in 0..<4 {
        let own = placement.transformation.elements[4 * row + column]
        #expect(abs(own - matrix[4 * column + row]) < 1e-3)
      }
    }
    let vertices = Self.fields("vertex_buffer", in: output)
    try #require(vertices.count == 5 * 468 && placement.points.count == 468)
    for (index, point) in placement.points.enumerated() {
      #expect(abs(point.x - vertices[5 * index]) < 1e-3)
      #expect(abs(point.y - vertices[5 * index + 1]) < 1e-3)
      #expect(abs(point.z - vertices[5 * index + 2]) < 1e-3)
    }
  }

  /// A message of three vertices, packed or not, and a weight for each.
  private static func message(isPacked: Bool) -> [UInt8] {
    let numbers: [Float] = [1, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0]
    let bytes = numbers.map { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt32($0))) }
    }
    let buffer: [UInt8] =
      isPacked
      ? [0x1A, UInt8(4 * numbers.count)] + bytes.flatMap { $0 } : bytes.flatMap { [0x1D] + $0 }
    let mesh: [UInt8] = [0x08, 0x00] + buffer
    let weights: [UInt8] = (0..<3).flatMap { index -> [UInt8] in
      [0x12, 0x07, 0x08, UInt8(index), 0x15, 0, 0, 0x80, 0x3F]
    }
    return [0x0A, UInt8(mesh.count)] + mesh + weights + [0x18, 0x02]
  }

  @Test(arguments: [true, false]) func `vertices are packed or not`(isPacked: Bool) throws {
    let geometry = try FaceGeometry(metadata: Self.message(isPacked: isPacked))
    #expect(geometry.pointCount == 3 && geometry.source == .detection)
    let points = [Landmark(x: 1, y: 0), Landmark(x: 0, y: 2), Landmark(x: 0, y: 0, z: 3)]
    let same = try FaceGeometry(
      points: points, weights: [0: 1, 1: 1, 2: 1], source: .detection)
    #expect(geometry == same)
  }

  @Test func `cut and changed messages are refused or read`() throws {
    let whole = Self.message(isPacked: true)
    // Up to the first weight; further ones may be missing.
    for count in 0..<75 {
      #expect(throws: VisionError.self, "\(count)") {
        try FaceGeometry(metadata: Array(whole.prefix(count)))
      }
    }
    for index in whole.indices {
      for bit in 0..<8 {
        var changed = whole
        changed[index] ^= 1 << UInt8(bit)
        _ = try? FaceGeometry(metadata: changed)
      }
    }
    #expect(throws: VisionError.self) { try FaceGeometry(metadata: []) }
    var kind = whole
    kind[3] = 1
    #expect(throws: VisionError.self) { try FaceGeometry(metadata: kind) }
  }
}
