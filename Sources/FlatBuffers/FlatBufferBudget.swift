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
  /// How many vector elements and string bytes may be decoded, besides two per byte of the file.
  package var elements: Int

  package init(depth: Int = 64, tables: Int = 1_000_000, elements: Int = 1 << 20) {
    self.depth = depth
    self.tables = tables
    self.elements = elements
  }
}

/// What is left of the limits, shared by all tables of one buffer.
final class FlatBufferBudget {
  let limits: FlatBufferLimits
  private let elementLimit: Int
  private var tablesLeft: Int
  private var elementsLeft: Int

  init(_ limits: FlatBufferLimits, byteCount: Int) {
    self.limits = limits
    let (fromFile, overflow) = byteCount.multipliedReportingOverflow(by: 2)
    let (sum, sumOverflow) = limits.elements.addingReportingOverflow(overflow ? .max : fromFile)
    elementLimit = sumOverflow ? .max : sum
    tablesLeft = limits.tables
    elementsLeft = elementLimit
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

  func chargeElements(_ count: Int, at offset: Int) throws(FlatBufferError) {
    guard count <= elementsLeft else {
      throw FlatBufferError(.tooManyElements(limit: elementLimit), at: offset)
    }
    elementsLeft -= count
  }
}
