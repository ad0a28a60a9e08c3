// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

/// Where a table has a number: its slot, with the schema's default.
struct ScalarField<Value: FixedWidthInteger & Sendable>: Sendable {
  let slot: Int
  let fallback: Value

  /// A number in `slot`.
  init(_ slot: Int, default fallback: Value = 0) {
    self.slot = slot
    self.fallback = fallback
  }
}

extension Table {
  /// The number in `field`, or its default when the writer left it out.
  func scalar<Value>(_ field: ScalarField<Value>) throws(FlatBufferError) -> Value {
    try scalar(field.slot, default: field.fallback)
  }
}
