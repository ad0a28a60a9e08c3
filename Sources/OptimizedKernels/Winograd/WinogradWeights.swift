// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The filter of a 3 × 3 convolution, transformed for tiles of one size and packed.
///
///     U = G g Gᵀ
///
/// Each element of U, over all input and output channels, is a matrix. They are computed in Double
/// and rounded once.
struct WinogradWeights: Sendable {
  /// The matrices, line by line of U.
  let matrices: [PackedFloatMatrix]
  /// The biases, zeroes behind them.
  let bias: AlignedMemory

  /// The weights of `nest`, transformed, in memory from `allocate`.
  init(
    _ weights: ConstantWeights, _ nest: Conv2DNest, _ size: WinogradTileSize,
    _ layout: FloatGemmLayout, _ allocate: AlignedMemory.Allocation
  ) {
    let (depth, columnCount) = (nest.inputDepth, nest.outputDepth)
    bias = allocate(roundedUp(columnCount * 4, to: AlignedMemory.alignment))
    if let source = unsafe weights.biasAddress(as: Float.self) {
      unsafe bias.address.copyMemory(from: source, byteCount: columnCount * 4)
    }
    let filter = unsafe weights.filterAddress(as: Float.self)
    let points = Self.transform(size)
    // One allocation for all: many smaller ones would leave gaps.
    let byteCount = roundedUp(
      layout.packedByteCount(columnCount: columnCount, depth: depth), to: AlignedMemory.alignment)
    let memory = allocate(size.matrixCount * byteCount)
    var matrices: [PackedFloatMatrix] = []
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: depth * columnCount) { plane in
      guard let base = plane.baseAddress else { return }
      let source = unsafe FloatMatrixSource(
        weights: base, columnStride: depth, depthStride: 1, columnCount: columnCount, depth: depth)
      for row in points {
        for column in points {
          let factors = row.flatMap { factor in column.map { factor * $0 } }
          unsafe Self.combine(filter, factors, count: columnCount, depth: depth, into: base)
          unsafe matrices.append(
            PackedFloatMatrix(source, layout, in: memory, at: matrices.count * byteCount))
        }
      }
    }
    self.matrices = matrices
  }

  /// The matrix G.
  ///
  /// For four outputs its rows are (1, p, p²) / Π (p − q) over the other points q; see
  /// `WinogradAxis`.
  private static func transform(_ size: WinogradTileSize) -> [[Double]] {
    switch size {
    case .two: return [[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]]
    case .four:
      let points = [0, 1, -1, 2, -2].map { $0 * 0.6875 }
      let rows = points.map { point in
        let divisor = points.reduce(1) { $1 == point ? $0 : $0 * (point - $1) }
        return [1 / divisor, point / divisor, point * point / divisor]
      }
      return rows + [[0, 0, 1]]
    }
  }

  /// The sums of each filter's nine pixels, weighed with `factors`, for every input channel.
  private static func combine(
    _ filter: UnsafePointer<Float>, _ factors: [Double], count: Int, depth: Int,
    into plane: UnsafeMutablePointer<Float>
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: depth) { sums in
      guard let sums = sums.baseAddress else { return }
      var (pixel, target) = unsafe (filter, plane)
      for _ in 0..<count {
        unsafe sums.update(repeating: 0, count: depth)
        for factor in factors {
          // The corners of the filter alone make those of U.
          if factor != 0 { unsafe add(factor, pixel, count: depth, to: sums) }
          unsafe pixel += depth
        }
        for channel in 0..<depth { unsafe target[channel] = Float(sums[channel]) }
        unsafe target += depth
      }
    }
  }

  /// Adds `factor` times each of `count` numbers to the sum at its place.
  @inline(__always)
  private static func add(
    _ factor: Double, _ numbers: UnsafePointer<Float>, count: Int,
    to sums: UnsafeMutablePointer<Double>
  ) {
    var index = 0
    while index + 4 <= count {
      let numbers = unsafe UnsafeRawPointer(numbers + index).loadUnaligned(as: SIMD4<Float>.self)
      let place = unsafe UnsafeMutableRawPointer(sums + index)
      let sum = unsafe place.loadUnaligned(as: SIMD4<Double>.self)
      unsafe place.storeBytes(of: sum + factor * SIMD4<Double>(numbers), as: SIMD4<Double>.self)
      index += 4
    }
    for index in index..<count { unsafe sums[index] += factor * Double(numbers[index]) }
  }
}
