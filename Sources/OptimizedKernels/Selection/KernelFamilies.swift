// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Tables of optimized kernels, each made when a kernel of its family is first looked up.
///
/// A process describes the types of the loops in a table; a model has few of all loops.
final class KernelFamilies: Sendable {
  private let make: @Sendable (LoopFamily) -> KernelTable
  private let tables = ForkableMutex<[LoopFamily: KernelTable]>([:])

  /// The tables that `make` makes.
  init(_ make: @escaping @Sendable (LoopFamily) -> KernelTable) { self.make = make }

  /// The table of `family`.
  subscript(family: LoopFamily) -> KernelTable {
    tables.withLock { tables in
      if let table = tables[family] { return table }
      let table = make(family)
      tables[family] = table
      return table
    }
  }
}
