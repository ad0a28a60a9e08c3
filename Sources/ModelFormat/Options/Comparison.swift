// SPDX-License-Identifier: Apache-2.0

/// Options of `EQUAL`, which has none.
public struct EqualOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `NOT_EQUAL`, which has none.
public struct NotEqualOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `GREATER`, which has none.
public struct GreaterOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `GREATER_EQUAL`, which has none.
public struct GreaterEqualOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `LESS`, which has none.
public struct LessOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `LESS_EQUAL`, which has none.
public struct LessEqualOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `LOGICAL_AND`, which has none.
public struct LogicalAndOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `LOGICAL_NOT`, which has none.
public struct LogicalNotOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `LOGICAL_OR`, which has none.
public struct LogicalOrOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `SELECT`, which has none.
public struct SelectOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `SELECT_V2`, which has none.
public struct SelectV2Options: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `WHERE`, which has none.
public struct WhereOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
