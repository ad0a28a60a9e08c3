// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ModelFormat

/// The offsets that count from the start of the file rather than from where they stand.
///
/// Buffers and custom options that do not fit into a FlatBuffer of 2 GiB lie behind it; whoever
/// moves the FlatBuffer within the file must change the offsets that lead to them.
enum ExternalOffsets {
  /// Adds `distance` to each offset of the model in `bytes`.
  static func shift(_ bytes: inout [UInt8], by distance: Int) throws(FlatBufferError) {
    for (position, offset) in try found(in: bytes.span) {
      let (sum, overflow) = Int64(distance).addingReportingOverflow(offset)
      guard !overflow, sum > 1 else {
        throw FlatBufferError(
          .invalidValue(field: "offset", problem: "\(offset)"), at: position)
      }
      bytes.set(UInt64(sum), byteCount: 8, at: position)
    }
  }

  /// Where the offsets stand, each once, and what they are.
  private static func found(
    in bytes: Span<UInt8>
  ) throws(FlatBufferError) -> [Int: Int64] {
    let root = try Table(root: bytes, identifier: ModelFile.identifier)
    var offsets: [Int: Int64] = [:]
    let buffers = try root.tables(Slot.Model.buffers)
    for index in 0..<buffers.count {
      try add(
        try buffers.table(at: index), inside: Slot.Buffer.data, Slot.Buffer.offset, to: &offsets)
    }
    let subgraphs = try root.tables(Slot.Model.subgraphs)
    for index in 0..<subgraphs.count {
      let nodes = try subgraphs.table(at: index).tables(Slot.SubGraph.operators)
      for node in 0..<nodes.count {
        try add(
          try nodes.table(at: node), inside: Slot.Operator.customOptions,
          Slot.Operator.largeCustomOptionsOffset, to: &offsets)
      }
    }
    return offsets
  }

  /// Adds the offset in `outside`, unless the bytes lie inside the FlatBuffer or there are none.
  private static func add(
    _ table: borrowing Table, inside: Int, _ outside: ScalarField<UInt64>,
    to offsets: inout [Int: Int64]
  ) throws(FlatBufferError) {
    guard try !table.has(inside), let field = try table.field(outside.slot, byteCount: 8) else {
      return
    }
    let offset = try table.scalar(outside)
    if offset > 1 { offsets[field] = Int64(clamping: offset) }
  }
}
