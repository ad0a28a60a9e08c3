// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

extension KernelSet.OptimizedKernel {
  /// A kernel whose work falls into blocks, with its scratch.
  package init(_ kernel: any BlockKernel, scratch: [Int] = []) {
    self.init(kernel, scratch: scratch, aspect: BlockAspect(kernel: kernel))
  }

  /// The kernel, if its work falls into blocks.
  package var blocks: (any BlockKernel)? { (aspect as? BlockAspect)?.kernel }
}

/// A kernel as one whose work falls into blocks.
///
/// Casting the kernel would tell as well, but the runtime searches all conformances of the process
/// for the first cast of each type to a protocol, which takes longer than preparing a node.
private final class BlockAspect: Sendable {
  let kernel: any BlockKernel

  init(kernel: any BlockKernel) { self.kernel = kernel }
}
