// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// What an element-wise operator of two operands computes per element.
package protocol BinaryArithmetic: Sendable {
  /// The first operand's element.
  associatedtype Left: TensorElement
  /// The second operand's element, most often the same.
  associatedtype Right: TensorElement
  /// The output's element.
  associatedtype Output: TensorElement

  /// One output element, and the steps to it.
  func apply(_ left: Left, _ right: Right, _ steps: inout some Steps) -> Output

  /// Whether every right operand is one that `apply` is defined for; throws where not.
  func check(_ right: Span<Right>) throws(KernelError)
}

extension BinaryArithmetic {
  /// One output element.
  @inline(__always)
  package func apply(_ left: Left, _ right: Right) -> Output {
    var steps = NoSteps()
    return apply(left, right, &steps)
  }

  package func check(_ right: Span<Right>) throws(KernelError) {}
}

/// The element-wise loop over two operands, broadcast to each other.
package struct BinaryLoop<Arithmetic: BinaryArithmetic>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.binary, Arithmetic.Left.elementType) }
  package static var identity: KernelIdentity { KernelIdentity(Arithmetic.self) }

  /// What is computed per element.
  package let arithmetic: Arithmetic
  /// How the operands are walked.
  package let broadcast: Broadcast

  /// The loop of `arithmetic` over `broadcast`.
  package init(_ arithmetic: Arithmetic, _ broadcast: Broadcast) {
    self.arithmetic = arithmetic
    self.broadcast = broadcast
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let left = frame.input(0, as: Arithmetic.Left.self)
    let right = frame.input(1, as: Arithmetic.Right.self)
    var output = frame.output(0, as: Arithmetic.Output.self)
    try arithmetic.check(right)

    let leftStep = broadcast.rowSteps[0]
    let rightStep = broadcast.rowSteps[1]
    var rows = broadcast.rows()
    while rows.next() {
      var leftIndex = rows.offset(0)
      var rightIndex = rows.offset(1)
      for index in rows.output..<rows.output + broadcast.rowLength {
        output[index] = arithmetic.apply(left[leftIndex], right[rightIndex])
        leftIndex += leftStep
        rightIndex += rightStep
      }
    }
  }
}

/// The kernel of `BinaryLoop`.
package typealias BinaryKernel<Arithmetic: BinaryArithmetic> = LoopKernel<BinaryLoop<Arithmetic>>

extension LoopKernel {
  /// The loop of `arithmetic` over `broadcast`.
  package convenience init<Arithmetic: BinaryArithmetic>(
    _ arithmetic: Arithmetic, _ broadcast: Broadcast
  ) where Loop == BinaryLoop<Arithmetic> {
    self.init(BinaryLoop(arithmetic, broadcast))
  }
}
