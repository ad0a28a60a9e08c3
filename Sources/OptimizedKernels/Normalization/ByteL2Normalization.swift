// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `L2_NORMALIZATION` of 8-bit quantized values: the same quantized values as the reference kernel.
///
/// Sums of squares are exact in any order. In a row a result depends on its quantized value alone:
/// long rows have a table of all.
final class ByteL2Normalization: BlockKernel {
  /// From this length on a table of results pays.
  private static let longRow = 256

  private let rowLength: Int
  private let rowCount: Int
  private let isSigned: Bool
  /// The zero point of quantized values that were made unsigned.
  private let zeroPoint: Int32
  private let rounding: Rounding

  /// The rows of `loop`; nil where they are empty.
  init?<Quantized: TensorElement & FixedWidthInteger>(
    _ loop: QuantizedL2NormalizationLoop<Quantized>, _ node: PrepareContext
  ) {
    guard loop.rowLength > 0, let input = node.optionalInput(0) else { return nil }
    rowLength = loop.rowLength
    rowCount = input.shape.elementCount / loop.rowLength
    isSigned = Quantized.isSigned
    zeroPoint = loop.zeroPoint &+ (Quantized.isSigned ? 128 : 0)
    rounding = loop.rounding
  }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(rowCount, rowLength: rowLength, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: UInt8.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: UInt8.self)
    let blocks = ElementBlocks(rowCount, rowLength: rowLength, workerCount: workerCount)
    while let block = next() {
      for row in blocks[block] {
        unsafe normalize(input + row * rowLength, to: output + row * rowLength)
      }
    }
  }

  private func normalize(_ row: UnsafePointer<UInt8>, to output: UnsafeMutablePointer<UInt8>) {
    let (flip, zeroPoint) = (isSigned ? 0x80 : 0 as UInt8, zeroPoint)
    var squares: Int32 = 0
    for index in 0..<rowLength {
      let difference = unsafe Int32(row[index] ^ flip) &- zeroPoint
      squares &+= difference &* difference
    }
    let factor = InverseLength(squares: squares, isSigned: isSigned, rounding: rounding)
    if rowLength < Self.longRow {
      for index in 0..<rowLength {
        unsafe output[index] = quantized(Int32(row[index] ^ flip) &- zeroPoint, factor)
      }
    } else {
      let quantizedValues = (0..<256).map { quantized($0 &- zeroPoint, factor) }
      for index in 0..<rowLength { unsafe output[index] = quantizedValues[Int(row[index] ^ flip)] }
    }
  }

  private func quantized(_ difference: Int32, _ factor: InverseLength) -> UInt8 {
    let quantized = factor.quantized(difference)
    return isSigned ? UInt8(bitPattern: Int8(clamping: quantized)) : UInt8(clamping: quantized)
  }
}
