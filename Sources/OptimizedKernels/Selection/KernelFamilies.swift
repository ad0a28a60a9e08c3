// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Tables of optimized kernels, each made when a kernel of its family is first looked up.
///
/// A process describes the types of the loops in a table; a model has few of all loops.
final class KernelFamilies: Sendable {
  private let make: @Sendable (LoopFamily) -> KernelTable
  /// The tables so far: these are few enough to be searched.
  private let made = ForkableMutex<[Made]>([])

  /// The tables that `make` makes.
  init(_ make: @escaping @Sendable (LoopFamily) -> KernelTable) { self.make = make }

  /// What `find` finds in the table for kernels like `kernel`; nil where it is of no family.
  ///
  /// Within the lock, as a table handed out would have the references counted of all it consists of.
  func lookUp<Found: Sendable>(
    _ kernel: any Kernel, _ find: (KernelTable) -> Found?
  ) -> Found? {
    guard let family = kernel.family else { return nil }
    return made.withLock { made in
      if let known = made.first(where: { $0.family == family }) { return find(known.table) }
      let new = Made(family, make(family))
      made.append(new)
      return find(new.table)
    }
  }

  /// A table; an object, as arrays of structures have a type of their own, which the runtime would
  /// make.
  private final class Made: Sendable {
    let family: LoopFamily
    let table: KernelTable

    init(_ family: LoopFamily, _ table: KernelTable) {
      self.family = family
      self.table = table
    }
  }
}
