// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A kernel that tells its steps while it computes.
package protocol SteppedKernel: Kernel {
  /// Computes the outputs in `frame` from its inputs, and tells the steps.
  ///
  /// - Throws: `KernelError` as `evaluate(_:)` does.
  func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError)
}

extension SteppedKernel {
  @inline(__always)
  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    var steps = NoSteps()
    try evaluate(frame, &steps)
  }
}

/// A loop that tells its steps while it computes.
package protocol SteppedLoop: KernelLoop {
  /// Computes the outputs in `frame` from its inputs, and tells the steps.
  ///
  /// - Throws: `KernelError` as `evaluate(_:)` does.
  func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError)
}

extension SteppedLoop {
  @inline(__always)
  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    var steps = NoSteps()
    try evaluate(frame, &steps)
  }
}

extension LoopKernel: SteppedKernel where Loop: SteppedLoop {
  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    try loop.evaluate(frame, &steps)
  }
}
