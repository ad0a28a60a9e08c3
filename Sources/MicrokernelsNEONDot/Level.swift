// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  package import Microkernels

  extension MicrokernelSet {
    /// Kernels for arm64 with dot products of bytes, which are those of `neon` save for these: call
    /// nothing of them on lesser processors.
    package static func neonDot(_ neon: MicrokernelSet) -> MicrokernelSet {
      neon.multiplyingSignedBytes(.neonDot)
    }
  }
#endif
