// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

extension Table {
  /// The number in `slot` with its sign, or its bits where it is no integer; 0 when the writer left
  /// it out.
  package func integer(_ slot: Int, _ scalar: SchemaScalar) throws(FlatBufferError) -> Int64 {
    switch scalar {
    case .int8: Int64(try self.scalar(slot, default: Int8(0)))
    case .uint8, .bool: Int64(try self.scalar(slot, default: UInt8(0)))
    case .uint16: Int64(try self.scalar(slot, default: UInt16(0)))
    case .int32: Int64(try self.scalar(slot, default: Int32(0)))
    case .uint32, .float32: Int64(try self.scalar(slot, default: UInt32(0)))
    case .int64, .uint64: try self.scalar(slot, default: Int64(0))
    case .name(let enumeration):
      try integer(slot, enumeration.byteCount == 1 ? .int8 : .int32)
    }
  }
}
