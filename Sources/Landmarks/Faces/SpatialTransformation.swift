// SPDX-License-Identifier: Apache-2.0

/// A turn, an enlargement and a shift in space: a 4 × 4 matrix whose last row is 0, 0, 0 and 1.
public struct SpatialTransformation: Sendable, Hashable {
  /// The 16 numbers, row by row.
  public let elements: [Float]

  private let columns: [SIMD3<Double>]
  private let shift: SIMD3<Double>

  /// A transformation from the columns of its turn with enlargement, and its shift.
  init(columns: [SIMD3<Double>], shift: SIMD3<Double>) {
    self.columns = columns
    self.shift = shift
    let vectors = columns + [shift]
    var elements: [Float] = []
    for row in 0..<3 { elements += vectors.map { Float($0[row]) } }
    self.elements = elements + [0, 0, 0, 1]
  }

  /// How much lengths grow.
  var scale: Double { columns[0].length }

  /// Where a point goes.
  func applied(to point: SIMD3<Double>) -> SIMD3<Double> {
    ProcrustesProblem.product(columns, point) + shift
  }

  /// The point that goes to `point`.
  func origin(of point: SIMD3<Double>) -> SIMD3<Double> {
    // The columns are perpendicular and of one length.
    let moved = point - shift
    let squared = scale * scale
    return SIMD3(
      columns[0].dot(moved), columns[1].dot(moved), columns[2].dot(moved)) / squared
  }
}

extension SIMD3<Double> {
  /// The scalar product.
  func dot(_ other: Self) -> Double { (self * other).sum() }

  /// The vector product.
  func cross(_ other: Self) -> Self {
    Self(
      y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The length.
  var length: Double { dot(self).squareRoot() }
}
