// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `PRELU` of 8-bit quantized values: the same quantized values as the reference kernel.
///
/// Negative elements are products with their slopes; what the others become depends on their
/// quantized values alone, and is a table. Both are computed for all, and a table of masks chooses.
final class BytePrelu: RowKernel {
  private typealias Bytes = SIMD4<UInt64>
  /// Elements that are computed at once, whole vectors.
  private static let step = 4096

  private let products: ByteBinary
  /// The results of quantized values that are not negative; 0 for the others.
  private let positives: [UInt8]
  /// All bits for negative quantized values; 0 for the others.
  private let negatives: [UInt8]
  private let kernels: ByteMicrokernels

  /// The rectifier of `loop`; nil where no fast kernel follows its format.
  init?<Quantized: TensorElement & FixedWidthInteger>(
    _ loop: BinaryLoop<QuantizedPrelu<Quantized, Quantized>>, _ set: MicrokernelSet
  ) {
    let arithmetic = loop.arithmetic
    // There are none for zero points that are no quantized values.
    guard let products = ByteBinary(BinaryLoop(arithmetic.products, loop.broadcast), set) else {
      return nil
    }
    self.products = products
    let quantizedValues = (0..<256).map { Quantized(truncatingIfNeeded: $0) }
    let isNegative = quantizedValues.map { Int32($0) < arithmetic.inputZeroPoint }
    positives = zip(quantizedValues, isNegative).map { quantized, isNegative in
      isNegative ? 0 : UInt8(truncatingIfNeeded: arithmetic.apply(quantized, 0))
    }
    negatives = isNegative.map { $0 ? 0xFF : 0 }
    kernels = set.byte
  }

  var runs: BroadcastRuns { products.runs }
  var elementSize: Int { 1 }

  func compute(_ row: PlainRow) {
    unsafe ScratchMemory.use(3 * Self.step) { buffer in
      for start in unsafe stride(from: 0, to: row.count, by: Self.step) {
        let count = unsafe min(Self.step, row.count - start)
        let (results, mask) = unsafe (buffer + Self.step, buffer + 2 * Self.step)
        let quantizedValues = unsafe row.left + start
        unsafe products.compute(
          PlainRow(left: quantizedValues, right: row.right + start, output: buffer, count: count))
        unsafe lookUp(quantizedValues, in: positives, count, to: results)
        unsafe lookUp(quantizedValues, in: negatives, count, to: mask)
        // The scratch memory ends with a whole vector.
        for index in stride(from: 0, to: count, by: MemoryLayout<Bytes>.size) {
          let product = unsafe buffer.loadUnaligned(fromByteOffset: index, as: Bytes.self)
          let result = unsafe results.loadUnaligned(fromByteOffset: index, as: Bytes.self)
          let isNegative = unsafe mask.loadUnaligned(fromByteOffset: index, as: Bytes.self)
          unsafe results.storeBytes(
            of: result | product & isNegative, toByteOffset: index, as: Bytes.self)
        }
        unsafe (row.output + start).copyMemory(from: results, byteCount: count)
      }
    }
  }

  private func lookUp(
    _ quantizedValues: UnsafeRawPointer, in table: [UInt8], _ count: Int,
    to output: UnsafeMutableRawPointer
  ) {
    unsafe table.withUnsafeBytes { table in
      guard let table = table.baseAddress else { return }
      unsafe kernels.lookUp(
        ByteLookup(table: table, input: quantizedValues, output: output, count: count))
    }
  }
}
