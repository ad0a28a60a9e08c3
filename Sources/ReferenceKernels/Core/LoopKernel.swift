// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The computation of a kernel as a value: constants, and a loop over the tensors of a frame.
package protocol KernelLoop: Sendable {
  /// What the loop has in common with others; nil where no loop is looked up by it.
  static var family: LoopFamily? { get }

  /// What tells the loop from others of its family: the loop's own type, or one it is generic over
  /// where that says as much, as the runtime makes each generic type when it is first asked for it.
  static var identity: KernelIdentity { get }

  /// Computes the outputs in `frame` from its inputs.
  ///
  /// - Throws: `KernelError` only for what depends on the data.
  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError)
}

extension KernelLoop {
  package static var family: LoopFamily? { nil }

  package static var identity: KernelIdentity { KernelIdentity(Self.self) }
}

/// A kernel that runs a loop whose number format is a generic parameter.
///
/// A method that is reached through a protocol is compiled once for all parameters, which made
/// convolutions 19 times slower. The closure here is made where the loop's type is known, and so
/// is compiled for it; a call through it costs nothing beside a whole node.
package final class LoopKernel<Loop: KernelLoop>: Kernel {
  /// The constants.
  package let loop: Loop
  private let body: @Sendable (borrowing TensorFrame) throws(KernelError) -> Void

  /// The kernel that runs `loop`.
  package init(_ loop: Loop) {
    self.loop = loop
    body = { frame throws(KernelError) in try loop.evaluate(frame) }
  }

  package var family: LoopFamily? { Loop.family }

  package var identity: KernelIdentity { Loop.identity }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) { try body(frame) }
}
