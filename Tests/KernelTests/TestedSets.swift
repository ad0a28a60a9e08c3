// SPDX-License-Identifier: Apache-2.0

import Microkernels
import OptimizedKernels
import VNNIEquivalent

extension MicrokernelSet {
  /// The kernels of every level that this processor has, and those of `v3-vnni` with what AVX2
  /// computes instead of its products.
  static let tested = available + equivalents

  private static var equivalents: [MicrokernelSet] {
    #if arch(x86_64)
      available.filter { $0.level == .v3 }.map(v3vnni)
    #else
      []
    #endif
  }
}
