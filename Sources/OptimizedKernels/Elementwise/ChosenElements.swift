// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `SELECT`: each element from one of two tensors, as a condition says.
@safe
final class ChosenElements: BlockKernel {
  private let broadcast: Broadcast
  /// Chooses the elements of a row.
  ///
  /// A closure of a function with known types: methods of generic classes are compiled once for all.
  private let choose: @Sendable (ChosenRow) -> Void

  /// The choices of `loop`.
  @inline(__always)
  init<Element: TensorElement & FixedWidthInteger>(_ loop: SelectLoop<Element>) {
    broadcast = loop.broadcast
    unsafe choose = { row in unsafe row.choose(Element.self) }
  }

  /// Blocks of the only row; several rows are one block.
  private func blocks(_ workerCount: Int) -> ElementBlocks {
    ElementBlocks(broadcast.rowLength, workerCount: workerCount)
  }

  private var isOneRow: Bool { broadcast.outerLengths.isEmpty && broadcast.shape.elementCount > 0 }

  func blockCount(workerCount: Int) -> Int { isOneRow ? blocks(workerCount).count : 1 }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let condition = unsafe frame.inputAddress(0), let first = unsafe frame.inputAddress(1),
      let second = unsafe frame.inputAddress(2)
    else { return }
    var row = unsafe ChosenRow(
      condition: condition.assumingMemoryBound(to: UInt8.self), first: first, second: second,
      output: frame.outputAddress(0),
      steps: (broadcast.rowSteps[0], broadcast.rowSteps[1], broadcast.rowSteps[2]))
    let blocks = blocks(workerCount)
    while let block = next() {
      if isOneRow {
        let elements = blocks[block]
        let first = elements.lowerBound
        unsafe row.starts = (first * row.steps.0, first * row.steps.1, first * row.steps.2)
        unsafe (row.target, row.count) = (first, elements.count)
        unsafe choose(row)
        continue
      }
      var rows = broadcast.rows()
      while rows.next() {
        unsafe row.starts = (rows.offset(0), rows.offset(1), rows.offset(2))
        unsafe (row.target, row.count) = (rows.output, broadcast.rowLength)
        unsafe choose(row)
      }
    }
  }
}

/// Where a row of choices finds its elements.
@unsafe
private struct ChosenRow {
  let condition: UnsafePointer<UInt8>
  let first: UnsafeRawPointer
  let second: UnsafeRawPointer
  let output: UnsafeMutableRawPointer
  /// From one element of a row to the next in each operand: 0 or 1.
  let steps: (Int, Int, Int)
  /// Where the row starts in each operand.
  var starts = (0, 0, 0)
  /// Where it starts in the output.
  var target = 0
  /// Elements.
  var count = 0

  /// Chooses the elements.
  @inline(__always)
  func choose<Element: FixedWidthInteger>(_: Element.Type) {
    let condition = unsafe condition + starts.0
    let first = unsafe first.assumingMemoryBound(to: Element.self) + starts.1
    let second = unsafe second.assumingMemoryBound(to: Element.self) + starts.2
    let output = unsafe output.assumingMemoryBound(to: Element.self) + target
    let count = unsafe count
    // Constant steps let the compiler make vectors.
    switch unsafe steps {
    case (0, _, _):
      let isFirst = unsafe condition[0] != 0
      let (source, step) = unsafe isFirst ? (first, steps.1) : (second, steps.2)
      for index in 0..<count { unsafe output[index] = source[index &* step] }
    case (_, 1, 1):
      for index in 0..<count {
        let (a, b) = unsafe (first[index], second[index])
        unsafe output[index] = condition[index] != 0 ? a : b
      }
    case (_, 1, _):
      let b = unsafe second[0]
      for index in 0..<count {
        let a = unsafe first[index]
        unsafe output[index] = condition[index] != 0 ? a : b
      }
    case (_, _, 1):
      let a = unsafe first[0]
      for index in 0..<count {
        let b = unsafe second[index]
        unsafe output[index] = condition[index] != 0 ? a : b
      }
    default:
      let (a, b) = unsafe (first[0], second[0])
      for index in 0..<count { unsafe output[index] = condition[index] != 0 ? a : b }
    }
  }
}
