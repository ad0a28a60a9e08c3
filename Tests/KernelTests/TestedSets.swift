// SPDX-License-Identifier: Apache-2.0

import AMXLoops
import Microkernels
import OptimizedKernels
import VNNIEquivalent

extension MicrokernelSet {
  /// The kernels of every level that this processor has, those of `v3-vnni` with what AVX2 computes
  /// instead of its products, and those of `v4-amx` with loops instead of its.
  static let tested = available + equivalents

  private static var equivalents: [MicrokernelSet] {
    #if arch(x86_64)
      available.filter { $0.level == .v3 }.map(v3vnni)
        + available.filter { $0.level == .v4 }.map(v4amx)
    #else
      []
    #endif
  }
}
