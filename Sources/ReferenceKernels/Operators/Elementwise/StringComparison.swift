// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Whether strings are equal, byte for byte.
package final class StringComparisonKernel: Kernel {
  /// What equal strings give.
  package let equalIs: Bool
  /// The operands' element counts.
  package let counts: [Int]
  /// How the operands are walked.
  package let broadcast: Broadcast

  init(equalIs: Bool, _ binary: BinaryNode) {
    self.equalIs = equalIs
    counts = [binary.left.shape.elementCount, binary.right.shape.elementCount]
    broadcast = binary.broadcast
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let left = frame.input(0, as: UInt8.self)
    let right = frame.input(1, as: UInt8.self)
    let leftRanges = try ranges(left, operand: 0)
    let rightRanges = try ranges(right, operand: 1)
    var output = frame.output(0, as: BoolByte.self)
    var rows = broadcast.rows()
    while rows.next() {
      for column in 0..<broadcast.rowLength {
        let a = leftRanges[rows.offset(0) + column * broadcast.rowSteps[0]]
        let b = rightRanges[rows.offset(1) + column * broadcast.rowSteps[1]]
        let areEqual = Self.areEqual(left.extracting(a), right.extracting(b))
        output[rows.output + column] = BoolByte(areEqual == equalIs)
      }
    }
  }

  private func ranges(
    _ bytes: Span<UInt8>, operand: Int
  ) throws(KernelError) -> [Range<Int>] {
    let ranges: [Range<Int>]
    do throws(StringTensor.Malformed) {
      ranges = try StringTensor.ranges(in: bytes)
    } catch {
      throw .invalid(error.description, .input(operand))
    }
    guard ranges.count == counts[operand] else {
      throw .invalid("\(ranges.count) strings, wanted \(counts[operand])", .input(operand))
    }
    return ranges
  }

  private static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }
}
