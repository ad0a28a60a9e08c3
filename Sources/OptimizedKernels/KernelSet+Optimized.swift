// SPDX-License-Identifier: Apache-2.0

public import ReferenceKernels

extension KernelSet {
  /// The reference kernels with every faster stand-in there is.
  public static let optimized = KernelSet("optimized")
}
