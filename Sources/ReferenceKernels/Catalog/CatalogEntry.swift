// SPDX-License-Identifier: Apache-2.0

package import ModelSchema

/// The record of an operator: everything that is known about it besides its kernel.
///
/// It stands in the operator's own file, and no argument has a default, so that the compiler tells
/// what is missing. Everybody who wants to know something about an operator asks its record. It is an
/// object, as it is asked for each node several times.
package final class CatalogEntry: Sendable {
  /// The schema's code; `.custom` for an operator that models name.
  package let code: OperatorCode
  /// The schema's name, or the one that models give a custom operator.
  package let name: String
  /// What the operator computes, in a few lines that documents show; nil where the loop that
  /// computes it has the formula.
  package let formula: String?
  /// The folder that the record's file lies in.
  package let chapter: OperatorChapter
  /// The file that the record stands in, from the package's folder on.
  package var sourceFile: String { chapter.path(of: fileID) }
  private let fileID: String
  /// The versions that run; nil for custom operators, whose versions mean nothing.
  package let versions: OperatorVersions?
  /// The element-type variants with a kernel, in the notation of `Docs/Operators.md`.
  package var variants: [String] { Self.words(variantText()) }
  /// Those of them that have an optimized kernel; a test finds out from the golden cases whether
  /// this is so.
  package var optimizedVariants: [String] { Self.words(optimizedText) }
  private let variantText: @Sendable () -> String
  private let optimizedText: String
  /// How much a node computes.
  package let work: OperatorWork
  /// How much a node reads of its inputs.
  package let reads: OperatorReads
  /// Makes the operator of a node from the node's options.
  package let make: @Sendable (NodeDescription) throws(KernelError) -> any Operator
  /// The same for an operator that runs as part of a session; nil for others.
  ///
  /// To ask an operator whether it is such takes the runtime longer than preparing a node.
  package let makeSession: (@Sendable (NodeDescription) throws(KernelError) -> any SessionOperator)?

  /// The built-in operator `code`; variants are separated by spaces.
  ///
  /// They are put together only when they are asked for: no model's start waits for a text.
  package convenience init(
    _ code: OperatorCode, chapter: OperatorChapter, formula: String?, versions: OperatorVersions,
    variants: @autoclosure @escaping @Sendable () -> String, optimized: String,
    work: OperatorWork, reads: OperatorReads, file: String = #fileID,
    make: @escaping @Sendable (NodeDescription) throws(KernelError) -> any Operator
  ) {
    self.init(
      code, code.schemaName, formula, (chapter, file), versions, (variants, optimized), work, reads,
      make)
  }

  /// The built-in operator `code`, which runs as part of a session.
  package convenience init(
    _ code: OperatorCode, chapter: OperatorChapter, formula: String?, versions: OperatorVersions,
    variants: String, optimized: String, work: OperatorWork, reads: OperatorReads,
    file: String = #fileID,
    session: @escaping @Sendable (NodeDescription) throws(KernelError) -> any SessionOperator
  ) {
    self.init(
      code, code.schemaName, formula, (chapter, file), versions, ({ variants }, optimized), work,
      reads,
      { node throws(KernelError) in try session(node) }, session)
  }

  /// The custom operator that models call `name`; variants are separated by spaces.
  package convenience init(
    custom name: String, chapter: OperatorChapter = .custom, formula: String?, variants: String,
    optimized: String, work: OperatorWork, reads: OperatorReads, file: String = #fileID,
    make: @escaping @Sendable (NodeDescription) throws(KernelError) -> any Operator
  ) {
    self.init(
      .custom, name, formula, (chapter, file), nil, ({ variants }, optimized), work, reads, make)
  }

  /// The custom operator that models call `name`, which runs as part of a session.
  package convenience init(
    custom name: String, chapter: OperatorChapter, formula: String?, variants: String,
    optimized: String, work: OperatorWork, reads: OperatorReads, file: String = #fileID,
    session: @escaping @Sendable (NodeDescription) throws(KernelError) -> any SessionOperator
  ) {
    self.init(
      .custom, name, formula, (chapter, file), nil, ({ variants }, optimized), work, reads,
      { node throws(KernelError) in try session(node) }, session)
  }

  private init(
    _ code: OperatorCode, _ name: String, _ formula: String?,
    _ source: (OperatorChapter, String), _ versions: OperatorVersions?,
    _ texts: (@Sendable () -> String, String),
    _ work: OperatorWork, _ reads: OperatorReads,
    _ make: @escaping @Sendable (NodeDescription) throws(KernelError) -> any Operator,
    _ makeSession: (@Sendable (NodeDescription) throws(KernelError) -> any SessionOperator)? = nil
  ) {
    (self.code, self.name, self.formula) = (code, name, formula)
    (chapter, fileID) = source
    self.versions = versions
    (variantText, optimizedText) = texts
    (self.work, self.reads, self.make, self.makeSession) = (work, reads, make, makeSession)
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }
}
