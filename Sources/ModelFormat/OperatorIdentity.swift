// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

/// Which operator a node is, and in which version.
package struct OperatorIdentity: Sendable, Hashable {
  /// The builtin operator; nil when the schema that Martlet knows does not have it.
  package let code: OperatorCode?
  /// The number that the file gives.
  package let rawCode: Int32
  /// The name of a custom operator.
  package let customName: String?
  /// The version of the operator that the node needs.
  package let version: Int32

  /// The builtin operator `code`.
  package init(_ code: OperatorCode, version: Int32 = 1) {
    self.code = code
    rawCode = code.rawValue
    customName = nil
    self.version = version
  }

  /// The custom operator called `name`.
  package init(custom name: String, version: Int32 = 1) {
    code = .custom
    rawCode = OperatorCode.custom.rawValue
    customName = name
    self.version = version
  }

  /// Older files leave out the wide code; newer files put 127 or the code into the narrow one.
  init(_ table: Table) throws(FlatBufferError) {
    let narrow = Int32(try table.scalar(Slot.OperatorCode.deprecatedBuiltinCode))
    let wide: Int32 = try table.scalar(Slot.OperatorCode.builtinCode)
    rawCode = max(narrow, wide)
    code = OperatorCode(rawValue: rawCode)
    customName = try table.string(Slot.OperatorCode.customCode)
    version = try table.scalar(Slot.OperatorCode.version)
  }

  /// The name as tools print it: `CONV_2D`, a custom operator's own name, or the bare number.
  package var name: String {
    guard let code else { return "BUILTIN_\(rawCode)" }
    guard code == .custom, let customName else { return code.schemaName }
    return customName
  }
}
