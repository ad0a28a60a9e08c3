// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A face in centimeters, and how it is placed before a camera whose image shows its landmarks.
///
/// MediaPipe's `geometry_pipeline.cc`: the landmarks are taken for points on the near plane of a
/// perspective camera, depth is scaled to the canonical face in two steps, and the transformation
/// from the canonical face is that with the least squares of the weighted landmarks.
public struct FaceGeometry: Sendable, Hashable {
  /// Where landmarks come from.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// A face mesh, whose landmarks have depth.
    case landmarks
    /// A face detector, whose key points have none: theirs is that of the canonical face.
    case detection
  }

  /// A face before the camera.
  public struct Placement: Sendable, Hashable {
    /// From the canonical face to the camera's space: centimeters, x to the right, y up, z to the
    /// camera, which is in the origin.
    public let transformation: SpatialTransformation
    /// The landmarks in the canonical face's space, in centimeters.
    public let points: [Landmark]
  }

  /// Where landmarks come from.
  public let source: Source
  /// The vertical angle of what the camera sees, in degrees.
  public var verticalFieldOfView: Float = 63
  private let canonical: [SIMD3<Double>]
  private let problem: ProcrustesProblem
  /// From the camera to the image's plane, in centimeters.
  private static let nearPlane = 1.0
  /// Landmarks all of which are nearer to their middle than this are no face.
  private static let leastExtent: Float = 1e-3

  /// A canonical face.
  ///
  /// - Parameters:
  ///   - points: the canonical landmarks in centimeters, x to the right, y up, z to the camera.
  ///   - weights: how much landmarks count for the transformation, by their indices.
  ///   - source: where landmarks come from.
  /// - Throws: `LandmarkError.invalidOption` where a number is not finite, a weight is negative or of
  ///   no landmark, or all are 0.
  public init(
    points: [Landmark], weights: [Int: Float], source: Source = .landmarks
  ) throws(LandmarkError) {
    canonical = points.map { SIMD3(Double($0.x), Double($0.y), Double($0.z)) }
    var all = [Double](repeating: 0, count: points.count)
    for (index, weight) in weights {
      guard all.indices.contains(index), weight.isFinite, weight >= 0 else {
        throw .invalidOption("the weight \(weight) of landmark \(index)")
      }
      all[index] = Double(weight)
    }
    guard canonical.allSatisfy(\.isFinite), let problem = ProcrustesProblem(canonical, weights: all)
    else {
      throw .invalidOption("a canonical face needs finite points, some of them with a weight")
    }
    self.problem = problem
    self.source = source
  }

  /// How many landmarks a face has.
  public var pointCount: Int { canonical.count }

  /// How a face is placed.
  ///
  /// - Parameters:
  ///   - landmarks: the landmarks as fractions of the image, depth in the scale of x; those after
  ///     the canonical face's are left out.
  ///   - columns: the image's columns.
  ///   - rows: the image's rows.
  /// - Returns: the placement; nil where there are too few landmarks or they are no face.
  public func placement(of landmarks: [Landmark], columns: Int, rows: Int) -> Placement? {
    let points = landmarks.prefix(pointCount)
    guard points.count == pointCount, columns > 0, rows > 0, Self.isExtended(points) else {
      return nil
    }
    let screen = projected(points, columns: columns, rows: rows)
    let depth = screen.reduce(0) { $0 + $1.z } / Double(screen.count)
    guard let first = problem.solution(screen.map(\.mirroredInDepth)) else { return nil }
    var middle = metric(screen, depth: depth, scale: first.scale)
    if source == .detection {
      guard let rough = problem.solution(middle) else { return nil }
      takeDepth(&middle, rough)
    }
    guard let second = problem.solution(middle) else { return nil }
    var points3D = metric(screen, depth: depth, scale: first.scale * second.scale)
    guard var transformation = problem.solution(points3D) else { return nil }
    if source == .detection {
      takeDepth(&points3D, transformation)
      guard let finer = problem.solution(points3D) else { return nil }
      transformation = finer
    }
    return Placement(
      transformation: transformation,
      points: points3D.map { point in
        let own = transformation.origin(of: point)
        return Landmark(x: Float(own.x), y: Float(own.y), z: Float(own.z))
      })
  }

  private static func isExtended(_ points: ArraySlice<Landmark>) -> Bool {
    let count = Float(points.count)
    let x: Float = points.reduce(Float(0)) { $0 + $1.x } / count
    let y: Float = points.reduce(Float(0)) { $0 + $1.y } / count
    let extent: Float =
      points.map { point -> Float in
        let (right, down): (Float, Float) = (point.x - x, point.y - y)
        return right * right + down * down
      }.max() ?? 0
    return extent.isFinite && extent.squareRoot() > leastExtent
  }

  /// Landmarks on the near plane.
  private func projected(
    _ points: ArraySlice<Landmark>, columns: Int, rows: Int
  ) -> [SIMD3<Double>] {
    let height = 2 * Self.nearPlane * tan(0.5 * Double(verticalFieldOfView) * .pi / 180)
    let width = Double(columns) * height / Double(rows)
    return points.map { point in
      SIMD3(
        (Double(point.x) - 0.5) * width, (0.5 - Double(point.y)) * height, Double(point.z) * width)
    }
  }

  /// Landmarks of the near plane in space: as far as their depth by the scale.
  private func metric(
    _ screen: [SIMD3<Double>], depth: Double, scale: Double
  ) -> [SIMD3<Double>] {
    screen.map { point in
      let distance = (point.z - depth + Self.nearPlane) / scale
      return SIMD3(
        point.x * distance / Self.nearPlane, point.y * distance / Self.nearPlane, -distance)
    }
  }

  private func takeDepth(_ points: inout [SIMD3<Double>], _ placement: SpatialTransformation) {
    for index in points.indices { points[index].z = placement.applied(to: canonical[index]).z }
  }
}

extension SIMD3<Double> {
  fileprivate var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  fileprivate var mirroredInDepth: Self { Self(x, y, -z) }
}
