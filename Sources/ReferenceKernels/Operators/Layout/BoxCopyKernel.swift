// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Boxes of elements copied to the outputs, over a background where boxes leave gaps.
package struct BoxCopies: Movement {
  /// What an output holds where no box is copied to.
  package enum Background: Sendable {
    /// Boxes cover the whole output.
    case none
    /// One element, as stored.
    case value(TensorBytes)
    /// The first element of an input.
    case input(Int)
  }

  /// The boxes of each output.
  package let boxes: [[BoxCopy]]
  /// What lies between the boxes.
  package let background: Background

  /// The copies of `boxes` to each output.
  package init(_ boxes: [[BoxCopy]], over background: Background = .none) {
    self.boxes = boxes
    self.background = background
  }

  /// The copy of one box that fills the only output.
  package init(_ box: BoxCopy) { self.init([[box]]) }

  package func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    BoxCopyKernel<Unit>(self)
  }

  package func repeatedParts(of outputs: [TensorType], elementByteCount: Int) -> [RepeatedPart] {
    guard case .none = background else { return [] }
    var parts: [RepeatedPart] = []
    for (boxes, output) in zip(boxes, outputs) {
      guard boxes.count == 1, let box = boxes.first, box.isRun, box.to == 0,
        box.row.length == output.shape.elementCount
      else { return [] }
      parts.append(RepeatedPart(input: box.input, offset: box.from * elementByteCount))
    }
    return parts
  }
}

/// The movement of boxes of elements as wide as `Unit`.
package struct BoxCopyLoop<Unit: TensorElement>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.movement, Unit.elementType) }

  /// What is copied.
  package let copies: BoxCopies

  /// The kernel of `copies`.
  package init(_ copies: BoxCopies) { self.copies = copies }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    for (position, boxes) in copies.boxes.enumerated() {
      var output = frame.output(position, as: Unit.self)
      switch copies.background {
      case .none: break
      case .value(let bytes): fill(&output, with: bytes.span(as: Unit.self)[0])
      case .input(let input): fill(&output, with: frame.input(input, as: Unit.self)[0])
      }
      for box in boxes { box.copy(frame.input(box.input, as: Unit.self), into: &output) }
    }
  }

  private func fill(_ output: inout MutableSpan<Unit>, with value: Unit) {
    for index in output.indices { output[index] = value }
  }
}

/// The kernel of `BoxCopyLoop`.
package typealias BoxCopyKernel<Unit: TensorElement> = LoopKernel<BoxCopyLoop<Unit>>

extension LoopKernel {
  /// The kernel of `copies`.
  package convenience init<Unit: TensorElement>(_ copies: BoxCopies)
  where Loop == BoxCopyLoop<Unit> {
    self.init(BoxCopyLoop(copies))
  }
}
