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
    // One allocation for all: many smaller ones would leave gaps.
    let packedByteCount = layout.packedByteCount(columnCount: columnCount, depth: depth)
    let byteCount = roundedUp(packedByteCount, to: AlignedMemory.alignment)
    let memory = allocate(size.matrixCount * byteCount)
    unsafe Self.forEachPanel(weights, nest, layout) { pixels, first, panelByteCount in
      let target = unsafe memory.address + layout.panelOffset(of: first, depth: depth)
      switch size {
      case .two:
        unsafe WinogradFilterTransform<4>().apply(
          pixels, byteCount: panelByteCount, to: target, elementStride: byteCount)
      case .four:
        unsafe WinogradFilterTransform<6>().apply(
          pixels, byteCount: panelByteCount, to: target, elementStride: byteCount)
      }
    }
    matrices = (0..<size.matrixCount).map {
      PackedFloatMatrix(
        layout, columnCount: columnCount, depth: depth, in: memory, at: $0 * byteCount)
    }
  }

  /// Calls `body` for each panel with the filter's nine pixels, each packed into so many bytes, and the
  /// panel's first column.
  private static func forEachPanel(
    _ weights: ConstantWeights, _ nest: Conv2DNest, _ layout: FloatGemmLayout,
    _ body: (_ pixels: UnsafeRawPointer, _ first: Int, _ byteCount: Int) -> Void
  ) {
    let (depth, filter) = unsafe (nest.inputDepth, weights.filterAddress(as: Float.self))
    let most = 9 * layout.panelByteCount(depth: depth)
    unsafe withUnsafeTemporaryAllocation(byteCount: most, alignment: 64) { pixels in
      guard let target = pixels.baseAddress else { return }
      for first in stride(from: 0, to: nest.outputDepth, by: layout.panelWidth) {
        let count = min(nest.outputDepth - first, layout.panelWidth)
        let byteCount = layout.packedByteCount(columnCount: count, depth: depth)
        for pixel in 0..<9 {
          let source = unsafe FloatMatrixSource(
            weights: filter + (first * 9 + pixel) * depth, columnStride: 9 * depth,
            depthStride: 1, columnCount: count, depth: depth)
          unsafe layout.pack(source, into: target + pixel * byteCount)
        }
        unsafe body(UnsafeRawPointer(target), first, byteCount)
      }
    }
  }
}

/// The transform of 3 × 3 filters for tiles of one size, whose axes have so many points.
///
/// G has a row for each point at which polynomials are evaluated, with which the filter's columns,
/// and then its lines, are weighed; see `WinogradAxis`. Those for points other than 0 come in pairs,
/// which differ in the sign of the second factor.
private struct WinogradFilterTransform<let pointCount: Int> {
  /// Two elements at a time.
  private typealias Pair = SIMD2<Double>
  private typealias Points = InlineArray<pointCount, Pair>

  /// The first factor of the point 0, whose others are zeros.
  private let first: Double
  /// The factors of the first pair of points.
  private let near: SIMD3<Double>
  /// The factors of the second pair, if there is one.
  ///
  /// The last point has the factors 0, 0 and 1.
  private let far: SIMD3<Double>

  /// The transform for two outputs, with four points, or for four, with six.
  init() {
    guard pointCount == 6 else {
      (first, near, far) = (1, [0.5, 0.5, 0.5], .zero)
      return
    }
    let (a, b) = (Double(WinogradPoints.a), Double(WinogradPoints.b))
    // (1, p, p²) / Π (p − q) over the other points q.
    func factors(_ point: Double, _ others: [Double]) -> SIMD3<Double> {
      SIMD3(1, point, point * point) / others.reduce(1) { $0 * (point - $1) }
    }
    first = factors(0, [a, -a, b, -b]).x
    (near, far) = (factors(a, [0, -a, b, -b]), factors(b, [0, a, -a, -b]))
  }

  /// Transforms nine pixels, each a matrix of `byteCount` bytes, to as many bytes of each matrix of U.
  @inline(__always)
  func apply(
    _ pixels: UnsafeRawPointer, byteCount: Int,
    to elements: UnsafeMutableRawPointer, elementStride: Int
  ) {
    for start in stride(from: 0, to: byteCount, by: 8) {
      let columns = InlineArray<3, Points> { column in
        let first = unsafe pixels + start + column &* byteCount
        return points(
          unsafe Self.load(first), unsafe Self.load(first + 3 &* byteCount),
          unsafe Self.load(first + 6 &* byteCount))
      }
      var target = unsafe elements + start
      for line in 0..<pointCount {
        let line = points(columns[0][line], columns[1][line], columns[2][line])
        for index in 0..<pointCount {
          unsafe target.storeBytes(
            of: SIMD2(Float(line[index][0]), Float(line[index][1])), as: SIMD2<Float>.self)
          unsafe target += elementStride
        }
      }
    }
  }

  @inline(__always)
  private static func load(_ pixel: UnsafeRawPointer) -> Pair {
    let numbers = unsafe pixel.loadUnaligned(as: SIMD2<Float>.self)
    return Pair(Double(numbers[0]), Double(numbers[1]))
  }

  /// The sums of three terms, weighed with the factors of each point.
  @inline(__always)
  private func points(_ low: Pair, _ middle: Pair, _ high: Pair) -> Points {
    var points = Points(repeating: high)
    points[0] = low * first
    let (even, odd) = (low * near.x + high * near.z, middle * near.y)
    points[1] = even + odd
    points[2] = even - odd
    if pointCount == 6 {
      let (even, odd) = (low * far.x + high * far.z, middle * far.y)
      points[3] = even + odd
      points[4] = even - odd
    }
    return points
  }
}
