// SPDX-License-Identifier: Apache-2.0

extension OperatorCode {
  /// The schema's name of the operator, such as `CONV_2D`.
  public var schemaName: String { Self.schema.names[Int(rawValue)] }

  /// The operator that the schema calls `name`, or nil if it has none of that name.
  public init?(schemaName name: String) {
    guard let index = Self.schema.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: Int32(index))
  }
}
