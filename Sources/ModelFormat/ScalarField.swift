// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Where a table has a number: its slot, with the schema's default.
package struct ScalarField<Value: FixedWidthInteger & Sendable>: Sendable {
  package let slot: Int
  package let fallback: Value

  /// A number in `slot`.
  package init(_ slot: Int, default fallback: Value = 0) {
    self.slot = slot
    self.fallback = fallback
  }
}

extension Table {
  /// The number in `field`, or its default when the writer left it out.
  package func scalar<Value>(_ field: ScalarField<Value>) throws(FlatBufferError) -> Value {
    try scalar(field.slot, default: field.fallback)
  }
}
