// SPDX-License-Identifier: Apache-2.0

package import Tensors

extension TensorFrame {
  /// Ends a kernel that takes long, between parts of its work, where the run shall not go on.
  ///
  /// - Throws: `KernelError`, which the run replaces by its own reason.
  package func checkProgress() throws(KernelError) { try progress?.checkKernel() }

  /// What a kernel's loops report their work to.
  package var workMeter: WorkMeter { WorkMeter(progress) }
}

/// Counts the work of a kernel, and looks at the time at even amounts of it: the parts between two
/// looks may be smaller than a look.
package struct WorkMeter {
  /// Operations between two looks, which take tens of microseconds.
  private static let interval = 1 << 16

  private let progress: RunProgress?
  private var remaining = interval

  /// A meter for the kernels of `progress`; with nil, nothing stops them.
  package init(_ progress: RunProgress? = nil) { self.progress = progress }

  /// Counts `operationCount` more operations.
  ///
  /// - Throws: `KernelError` where the run shall not go on; the run replaces it by its own reason.
  @inline(__always)
  package mutating func add(_ operationCount: Int) throws(KernelError) {
    remaining -= operationCount
    if remaining <= 0 { try look() }
  }

  @inline(never)
  private mutating func look() throws(KernelError) {
    remaining = Self.interval
    try progress?.checkKernel()
  }
}

extension RunProgress {
  /// Ends a kernel where the run shall not go on.
  ///
  /// - Throws: `KernelError`, which the run replaces by its own reason.
  fileprivate func checkKernel() throws(KernelError) {
    if mustStop { throw .invalid("stopped before its end") }
  }
}
