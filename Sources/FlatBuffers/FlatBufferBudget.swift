// SPDX-License-Identifier: Apache-2.0

/// How much of a FlatBuffer may be visited before it counts as hostile.
///
/// Offsets may point to the same table any number of times, so a small file can describe a
/// structure of any apparent size; these limits bound the time and memory spent on one.
package struct FlatBufferLimits: Hashable, Sendable {
  /// How deeply tables may be nested.
  package var depth: Int
  /// How many tables may be visited.
  package var tables: Int
  /// How many bytes of vectors and texts may be decoded in addition to what a file without
  /// shared parts can hold.
  package var extraByteCount: Int

  package init(depth: Int = 64, tables: Int = 1_000_000, extraByteCount: Int = 1 << 24) {
    self.depth = depth
    self.tables = tables
    self.extraByteCount = extraByteCount
  }
}

/// What is left of the limits, shared by all tables of one buffer.
final class FlatBufferBudget {
  let limits: FlatBufferLimits
  private let byteLimit: Int
  private var tablesLeft: Int
  private var bytesLeft: Int

  /// The whole of `limits`, for a file of `byteCount` bytes.
  ///
  /// Texts decode to as many bytes as they have; numbers count as 8 bytes each, however narrow
  /// they are, so that a file of narrow numbers decodes to eight times its size. No file needs a
  /// gigabyte of those.
  init(_ limits: FlatBufferLimits, byteCount: Int) {
    self.limits = limits
    let numbers = min(byteCount, 1 << 27) * 8
    let (sum, overflow) = max(byteCount, numbers).addingReportingOverflow(limits.extraByteCount)
    byteLimit = overflow ? .max : sum
    tablesLeft = limits.tables
    bytesLeft = byteLimit
  }

  func chargeTable(depth: Int, at offset: Int) throws(FlatBufferError) {
    guard depth <= limits.depth else {
      throw FlatBufferError(.tooDeep(limit: limits.depth), at: offset)
    }
    guard tablesLeft > 0 else {
      throw FlatBufferError(.tooManyTables(limit: limits.tables), at: offset)
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
