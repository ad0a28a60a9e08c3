// SPDX-License-Identifier: Apache-2.0

internal import ResourceLimits

/// What is left of the limits, shared by all tables of one buffer.
///
/// Offsets may point to the same table any number of times, so a small file can describe a
/// structure of any apparent size; the limits bound the time and memory spent on one.
final class FlatBufferBudget {
  let limits: Limits
  private let byteLimit: Int
  private var tablesLeft: Int
  private var bytesLeft: Int

  /// The whole of `limits`, for a file of `byteCount` bytes.
  ///
  /// Texts decode to as many bytes as they have; numbers count as 8 bytes each, however narrow
  /// they are, so that a file of narrow numbers decodes to eight times its size. No file needs a
  /// gigabyte of those.
  init(_ limits: Limits, byteCount: Int) {
    self.limits = limits
    let numbers = min(byteCount, 1 << 27) * 8
    let (sum, overflow) = max(byteCount, numbers).addingReportingOverflow(limits.repeatedByteCount)
    byteLimit = overflow ? .max : sum
    tablesLeft = limits.tableCount
    bytesLeft = byteLimit
  }

  func chargeTable(depth: Int, at offset: Int) throws(FlatBufferError) {
    guard depth <= limits.tableDepth else {
      throw FlatBufferError(.tooDeep(limit: limits.tableDepth), at: offset)
    }
    guard tablesLeft > 0 else {
      throw FlatBufferError(.tooManyTables(limit: limits.tableCount), at: offset)
    }
    tablesLeft -= 1
  }

  func chargeBytes(_ count: Int, at offset: Int) throws(FlatBufferError) {
    guard count <= bytesLeft else {
      throw FlatBufferError(.tooMuchData(limit: byteLimit), at: offset)
    }
    bytesLeft -= count
  }

  /// Charges for `count` numbers that lie in the buffer, so that their number is bounded.
  func chargeNumbers(_ count: Int, at offset: Int) throws(FlatBufferError) {
    try chargeBytes(count * 8, at: offset)
  }
}
