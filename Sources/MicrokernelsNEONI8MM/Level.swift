// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  package import Microkernels

  extension MicrokernelSet {
    /// Kernels for arm64 with products of matrices of bytes, which are those of `neon` save for these: call
    /// nothing of them on lesser processors.
    package static func neonI8MM(_ neon: MicrokernelSet) -> MicrokernelSet {
      neon.multiplyingSignedBytes(.neonI8MM)
    }
  }
#endif
