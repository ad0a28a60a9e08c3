// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `CONV_2D` of 16-bit activations and constant 8-bit weights: the same results as the reference
/// kernel.
///
///     x = 2⁸ high + low + 2⁷,   Σ x w = 2⁸ Σ high w + Σ low w + 2⁷ Σ w
///
/// High and low bytes are both signed codes, so that two 8-bit products with the same weights give
/// the sum exactly.
final class WideProduct: BlockKernel {
  /// Terms for which the sum of 8-bit products surely fits 32 bits.
  private static let mostTerms = 1 << 16
  /// Rows whose sums are held at a time.
  private static let rowStep = 48

  private let rows: ProductRows
  private let matrix: PackedWeights<PackedByteMatrix>
  private let finish: WideFinish
  private let kernels: ByteMicrokernels
  private let elementCount: Int
  private let highPadding: AlignedMemory
  private let lowPadding: AlignedMemory

  /// The convolution of `loop`; nil where its weights are not constant, or it has groups.
  init?(
    _ loop: ConvolutionLoop<Conv2DNest, WideConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    guard nest.inputDepth == nest.groupDepth, loop.arithmetic.filterZeroPoint == 0 else {
      return nil
    }
    rows = ProductRows(nest, elementByteCount: 1)
    let (depth, columns) = (rows.tapCount * rows.tapByteCount, nest.outputDepth)
    guard depth <= Self.mostTerms,
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: depth * columns,
        biasByteCount: columns * 8),
      let finish = WideFinish(loop.arithmetic, weights, channelCount: columns)
    else { return nil }
    self.finish = finish
    matrix = weights.packed(in: cache, form: "wide product, \(set), \(columns) × \(depth)") {
      unsafe PackedByteMatrix(
        ByteMatrixSource(
          weights: weights.filterAddress(as: UInt8.self), isSigned: true, zeroPoint: 0,
          columnStride: depth, depthStride: 1, columnCount: columns, depth: depth,
          activationZeroPoint: 128), set.byte.layout, allocate: $0)
    }
    kernels = set.byte
    elementCount = nest.batchCount * nest.inputCount
    highPadding = AlignedMemory(zeroed: rows.tapByteCount)
    lowPadding = AlignedMemory(zeroed: rows.tapByteCount)
    unsafe lowPadding.address.initializeMemory(
      as: UInt8.self, repeating: 0x80, count: rows.tapByteCount)
  }

  /// Bytes of the scratch tensors: high and low bytes.
  var scratch: [Int] { [elementCount, elementCount] }

  func begin(_ frame: borrowing TensorFrame) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Int16.self)
    let high = unsafe frame.scratchAddress(0).assumingMemoryBound(to: UInt8.self)
    let low = unsafe frame.scratchAddress(1).assumingMemoryBound(to: UInt8.self)
    for index in 0..<elementCount {
      let bits = unsafe UInt16(bitPattern: input[index])
      unsafe high[index] = UInt8(truncatingIfNeeded: bits >> 8)
      unsafe low[index] = UInt8(truncatingIfNeeded: bits) ^ 0x80
    }
  }

  func blockCount(workerCount: Int) -> Int { (rows.rowCount + Self.rowStep - 1) / Self.rowStep }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let high = unsafe UnsafeRawPointer(frame.scratchAddress(0))
    let low = unsafe UnsafeRawPointer(frame.scratchAddress(1))
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Int16.self)
    let columns = matrix.value.columnCount
    let tile = kernels.layout.scratchByteCount(depth: matrix.value.depth)
    let tileByteCount = roundedUp(tile, to: AlignedMemory.alignment)
    let sumCount = Self.rowStep * columns
    let memory = WorkerMemory(
      rows, rowStep: Self.rowStep, tileByteCount: tileByteCount + 2 * sumCount * 4)
    unsafe memory.use { parts in
      let sums = unsafe (parts.tile + tileByteCount).assumingMemoryBound(to: Int32.self)
      while let block = next() {
        let first = block * Self.rowStep
        let range = first..<min(first + Self.rowStep, rows.rowCount)
        unsafe multiply(range, high, UnsafeRawPointer(highPadding.address), parts, to: sums)
        unsafe multiply(
          range, low, UnsafeRawPointer(lowPadding.address), parts, to: sums + sumCount)
        unsafe write(
          sums, sums + sumCount, rowCount: range.count, to: output + first * columns)
      }
    }
  }

  /// The sums of one plane of bytes.
  private func multiply(
    _ range: Range<Int>, _ plane: UnsafeRawPointer, _ padding: UnsafeRawPointer,
    _ parts: WorkerMemory.Parts, to sums: UnsafeMutablePointer<Int32>
  ) {
    unsafe rows.locate(
      range, input: plane, padding: padding, pointers: parts.pointers, spill: parts.spill)
    let plain = ByteScaling()
    unsafe kernels.gemm(
      ByteGemmTask(
        rows: UnsafePointer(parts.pointers), rowPitch: range.count, rowCount: range.count,
        tapCount: rows.tapCount, depth: rows.tapByteCount, activationFlip: 0x80,
        weights: matrix.value.panel(from: 0), rowSumFactor: matrix.value.rowSumFactor,
        columnCount: matrix.value.columnCount, finish: plain.finish(),
        output: UnsafeMutableRawPointer(sums), outputStride: matrix.value.columnCount * 4,
        scratch: parts.tile))
  }

  /// Joins the sums of both planes to results.
  private func write(
    _ high: UnsafePointer<Int32>, _ low: UnsafePointer<Int32>, rowCount: Int,
    to output: UnsafeMutablePointer<Int16>
  ) {
    let columns = matrix.value.columnCount
    unsafe matrix.value.columnSums.withUnsafeBufferPointer { columnSums in
      guard let columnSums = columnSums.baseAddress else { return }
      for row in 0..<rowCount {
        let first = row * columns
        unsafe finish.write(to: output + first) { column in
          let bytes = unsafe Int64(high[first &+ column]) &* 256 &+ Int64(low[first &+ column])
          return unsafe bytes &+ Int64(columnSums[column]) &* 128
        }
      }
    }
  }
}
