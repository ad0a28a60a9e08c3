// SPDX-License-Identifier: Apache-2.0

package import ModelSchema

/// A built-in operator that a page can compute.
///
/// The host's type holds a closure that makes `any Operator`, a value that Embedded Swift lacks.
/// Here the closure prepares the node as well. Of the record, a page needs no more than that.
package struct CatalogEntry: Sendable {
  /// The schema's code.
  package let code: OperatorCode
  private let body: @Sendable (NodeDescription, PrepareContext) throws(KernelError) -> Prepared

  /// The operator `code`, made by `make` from a node's options.
  package init<Made: Operator>(
    _ code: OperatorCode, chapter: OperatorChapter, formula: String?, versions: OperatorVersions,
    variants: @autoclosure () -> String, optimized: String, work: OperatorWork,
    reads: OperatorReads,
    make: @escaping @Sendable (NodeDescription) throws(KernelError) -> Made
  ) {
    self.code = code
    body = { description, context throws(KernelError) in
      try make(description).prepare(context)
    }
  }

  /// The prepared node whose options are the root table of `options`.
  ///
  /// - Throws: `KernelError` as the operator does.
  package func prepare(
    _ context: PrepareContext, options: [UInt8]
  ) throws(KernelError) -> Prepared {
    try body(NodeDescription(options: options), context)
  }
}
