// SPDX-License-Identifier: Apache-2.0

import Tensors

extension TensorFrame {
  /// Ends a kernel that takes long, between parts of its work, where the run shall not go on.
  ///
  /// - Throws: `KernelError`, which the run replaces by its own reason.
  package func checkProgress() throws(KernelError) {
    if let progress, progress.mustStop { throw .invalid("stopped before its end") }
  }
}
