// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
public import Tensors

/// Options of `VAR_HANDLE`.
public struct VarHandleOptions: OptionsTable {
  /// The container of the variable.
  public var container: String = ""
  /// The name that handles of one variable share.
  public var sharedName: String = ""

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    container = try table.string(0) ?? container
    sharedName = try table.string(1) ?? sharedName
  }
}

/// Options of `HASHTABLE`.
public struct HashtableOptions: OptionsTable {
  /// The number that handles of one table share.
  public var identifier: Int32 = 0
  /// The element type of the keys.
  public var keyType: ElementType = .float32
  /// The element type of the values.
  public var valueType: ElementType = .float32

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    identifier = try table.scalar(0, default: identifier)
    keyType = try table.enumeration(1, default: keyType, field: "key_dtype")
    valueType = try table.enumeration(2, default: valueType, field: "value_dtype")
  }
}

/// Options of `ASSIGN_VARIABLE`, which has none.
public struct AssignVariableOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `READ_VARIABLE`, which has none.
public struct ReadVariableOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `HASHTABLE_FIND`, which has none.
public struct HashtableFindOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `HASHTABLE_IMPORT`, which has none.
public struct HashtableImportOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `HASHTABLE_SIZE`, which has none.
public struct HashtableSizeOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
