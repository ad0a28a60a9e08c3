// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `GATHER` of rows that are worth a copy each.
final class GatheredCopies<Index: TensorElement & FixedWidthInteger>: Kernel {
  /// Bytes below which a row is copied faster element by element.
  private static var leastRow: Int { 16 }

  private let rows: GatheredRows
  private let rowByteCount: Int

  /// The copies of `loop`; nil for short rows.
  init?<Unit>(_ loop: GatherLoop<Unit, Index>) {
    rows = loop.rows
    rowByteCount = loop.rows.rowLength * MemoryLayout<Unit>.stride
    guard rowByteCount >= Self.leastRow else { return nil }
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let indices = frame.input(1, as: Index.self)
    for position in 0..<rows.batchCount * rows.indexCount {
      guard indices[position] >= 0, Int(indices[position]) < rows.axisLength else {
        throw .invalid("index \(indices[position]) of \(rows.axisLength)", .input(1))
      }
    }
    guard let input = unsafe frame.inputAddress(0) else { return }
    var target = unsafe frame.outputAddress(0)
    for batch in 0..<rows.batchCount {
      for outer in 0..<rows.outerCount {
        let block = (batch * rows.outerCount + outer) * rows.axisLength
        for position in 0..<rows.indexCount {
          let row = block + Int(indices[batch * rows.indexCount + position])
          unsafe target.copyMemory(from: input + row * rowByteCount, byteCount: rowByteCount)
          unsafe target += rowByteCount
        }
      }
    }
  }
}
