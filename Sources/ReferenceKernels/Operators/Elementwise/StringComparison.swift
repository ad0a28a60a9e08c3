// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Whether strings are equal, byte for byte.
///
/// Strings have no fixed size, so a node is prepared when they are known, and keeps them.
package final class StringComparisonKernel: SteppedKernel {
  /// An operand's strings: their bytes, and where each lies.
  private struct Operand {
    let bytes: TensorBytes
    let ranges: [Range<Int>]
  }

  private let left: Operand
  private let right: Operand
  /// What equal strings give.
  package let equalIs: Bool
  private let broadcast: Broadcast

  /// The comparison of the node's operands, in which equal strings give `equalIs`.
  ///
  /// - Throws: `KernelError` while an operand is not known, and where it is damaged.
  package init(
    _ node: PrepareContext, _ broadcast: Broadcast, equalIs: Bool
  ) throws(KernelError) {
    left = try Self.operand(0, of: node)
    right = try Self.operand(1, of: node)
    self.equalIs = equalIs
    self.broadcast = broadcast
  }

  private static func operand(
    _ position: Int, of node: PrepareContext
  ) throws(KernelError) -> Operand {
    let shape = try node.input(position).shape
    guard let bytes = node.inputs[position]?.bytes else {
      throw KernelError(.valueNeeded(position), "value must be known first", .input(position))
    }
    let ranges: [Range<Int>]
    do throws(StringTensor.Malformed) {
      ranges = try StringTensor.ranges(in: bytes.span(as: UInt8.self))
    } catch {
      throw .invalid(error.description, .input(position))
    }
    guard ranges.count == shape.elementCount else {
      throw .invalid("\(ranges.count) strings for the shape \(shape)", .input(position))
    }
    return Operand(bytes: bytes, ranges: ranges)
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let (left, right) = (left, right)
    let leftBytes = left.bytes.span(as: UInt8.self)
    let rightBytes = right.bytes.span(as: UInt8.self)
    var output = frame.output(0, as: BoolByte.self)
    var rows = broadcast.rows()
    while rows.next() {
      for column in 0..<broadcast.rowLength {
        if column % 64 == 0 { try frame.checkProgress() }
        let first = rows.offset(0) + column * broadcast.rowSteps[0]
        let second = rows.offset(1) + column * broadcast.rowSteps[1]
        steps.about(rows.output + column)
        steps.read(element: first, ofInput: 0)
        steps.read(element: second, ofInput: 1)
        let areEqual = Self.areEqual(
          leftBytes, left.ranges[first], rightBytes, right.ranges[second])
        steps.note("equal", "whether both have the same bytes", areEqual ? 1 : 0)
        output[rows.output + column] = steps.note(
          "result", equalIs ? "as it is" : "the opposite", element: BoolByte(areEqual == equalIs))
      }
    }
  }

  private static func areEqual(
    _ left: Span<UInt8>, _ a: Range<Int>, _ right: Span<UInt8>, _ b: Range<Int>
  ) -> Bool {
    guard a.count == b.count else { return false }
    for (first, second) in zip(a, b) where left[first] != right[second] { return false }
    return true
  }
}
