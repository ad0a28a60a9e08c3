// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

/// Rows of a matrix times a vector, each sum in four partial ones exactly as `LaneSum` has them.
///
/// Eight rows at a time hide how long additions take.
@unsafe
struct LaneRows {
  /// How the partial sums are added up.
  enum Order {
    /// `((s₀ + s₁) + s₂) + s₃`.
    case inTurn
    /// `(s₀ + s₂) + (s₁ + s₃)`.
    case crosswise
  }

  private typealias Lanes = SIMD4<Float>
  private static let rowStep = 8

  /// The matrix, row by row.
  let weights: UnsafePointer<Float>
  /// The vector.
  let vector: UnsafePointer<Float>
  /// Elements of a row and of the vector.
  let depth: Int
  /// How the partial sums are added up.
  let order: Order

  /// The products of `rowCount` rows, added to `starts` or to zeros.
  func multiply(
    rowCount: Int, starts: UnsafePointer<Float>?, to sums: UnsafeMutablePointer<Float>
  ) {
    var row = 0
    while unsafe row + Self.rowStep <= rowCount {
      unsafe multiplyRows(row, starts, sums)
      row += unsafe Self.rowStep
    }
    while row < rowCount {
      unsafe multiplyRow(row, starts, sums)
      row += 1
    }
  }

  private func multiplyRows(
    _ row: Int, _ starts: UnsafePointer<Float>?, _ sums: UnsafeMutablePointer<Float>
  ) {
    let first = unsafe UnsafeRawPointer(weights + row * depth)
    let stride = unsafe depth * 4
    var lanes = InlineArray<8, Lanes>(repeating: .zero)
    for start in unsafe Swift.stride(from: 0, to: depth & ~3, by: 4) {
      let part = unsafe UnsafeRawPointer(vector + start).loadUnaligned(as: Lanes.self)
      for index in 0..<8 {
        let offset = index &* stride &+ start &* 4
        let weights = unsafe first.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
        lanes[index] += weights * part
      }
    }
    for first in Swift.stride(from: 0, to: 8, by: 4) {
      let partial = Lanes.columns(
        lanes[first], lanes[first + 1], lanes[first + 2], lanes[first + 3])
      let index = row + first
      var total =
        unsafe starts.map {
          unsafe UnsafeRawPointer($0 + index).loadUnaligned(as: Lanes.self)
        } ?? .zero
      if unsafe depth >= 4 {
        switch unsafe order {
        case .inTurn: total += partial.0 + partial.1 + partial.2 + partial.3
        case .crosswise: total += (partial.0 + partial.2) + (partial.1 + partial.3)
        }
      }
      unsafe UnsafeMutableRawPointer(sums + index).storeBytes(of: total, as: Lanes.self)
    }
    guard unsafe depth & 3 != 0 else { return }
    for row in row..<row + 8 { unsafe addRest(of: row, to: &sums[row]) }
  }

  private func multiplyRow(
    _ row: Int, _ starts: UnsafePointer<Float>?, _ sums: UnsafeMutablePointer<Float>
  ) {
    let first = unsafe UnsafeRawPointer(weights + row * depth)
    var lanes = Lanes.zero
    for start in unsafe Swift.stride(from: 0, to: depth & ~3, by: 4) {
      let part = unsafe UnsafeRawPointer(vector + start).loadUnaligned(as: Lanes.self)
      let weights = unsafe first.loadUnaligned(fromByteOffset: start &* 4, as: Lanes.self)
      lanes += weights * part
    }
    unsafe sums[row] = sum(row, lanes, starts?[row] ?? 0)
  }

  /// A start, the partial sums if there are any, and the products that fill no block.
  private func sum(_ row: Int, _ lanes: Lanes, _ start: Float) -> Float {
    var value = start
    if unsafe depth >= 4 {
      switch unsafe order {
      case .inTurn: value += lanes[0] + lanes[1] + lanes[2] + lanes[3]
      case .crosswise: value += (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
      }
    }
    unsafe addRest(of: row, to: &value)
    return value
  }

  /// Adds the products that fill no block.
  private func addRest(of row: Int, to sum: inout Float) {
    for index in unsafe depth & ~3..<depth {
      sum += unsafe weights[row * depth + index] * vector[index]
    }
  }
}

extension SIMD4<Float> {
  /// The first, second, third and fourth elements of four vectors.
  @inline(__always)
  fileprivate static func columns(
    _ a: Self, _ b: Self, _ c: Self, _ d: Self
  ) -> (Self, Self, Self, Self) {
    (
      Self(a[0], b[0], c[0], d[0]), Self(a[1], b[1], c[1], d[1]),
      Self(a[2], b[2], c[2], d[2]), Self(a[3], b[3], c[3], d[3])
    )
  }
}
