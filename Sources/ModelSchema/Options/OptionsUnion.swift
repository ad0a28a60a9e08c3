// SPDX-License-Identifier: Apache-2.0

/// Which options table each member of the schema's two unions holds; member 0 is none.
package enum OptionsUnion {
  /// Tells a member's type.
  ///
  /// A list of the types themselves would make the conformances of all when it is first used.
  typealias Member = @Sendable () -> any OptionsTable.Type

  /// The table of member `code` of `BuiltinOptions`, or nil for none and for unknown members.
  package static func first(_ code: UInt8) -> (any OptionsTable.Type)? {
    code >= 1 && code <= builtinOptions.count ? builtinOptions[Int(code) - 1]() : nil
  }

  /// The table of member `code` of `BuiltinOptions2`, or nil for none and for unknown members.
  package static func second(_ code: UInt8) -> (any OptionsTable.Type)? {
    code >= 1 && code <= builtinOptions2.count ? builtinOptions2[Int(code) - 1]() : nil
  }
}

extension SchemaTable {
  /// The description of a table of options.
  init(_ options: any OptionsTable.Type) {
    self.init("\(options)", options.init().described.map(\.schema))
  }
}
