// SPDX-License-Identifier: Apache-2.0

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

  /// The operator that a file numbers `rawCode`.
  package init(rawCode: Int32, customName: String?, version: Int32) {
    code = OperatorCode(rawValue: rawCode)
    self.rawCode = rawCode
    self.customName = customName
    self.version = version
  }

  /// The builtin operator `code`.
  package init(_ code: OperatorCode, version: Int32 = 1) {
    self.init(rawCode: code.rawValue, customName: nil, version: version)
  }

  /// The custom operator called `name`.
  package init(custom name: String, version: Int32 = 1) {
    self.init(rawCode: OperatorCode.custom.rawValue, customName: name, version: version)
  }

  /// The name as tools print it: `CONV_2D`, a custom operator's own name, or the bare number.
  package var name: String {
    guard let code else { return "BUILTIN_\(rawCode)" }
    guard code == .custom, let customName else { return code.schemaName }
    return customName
  }
}
