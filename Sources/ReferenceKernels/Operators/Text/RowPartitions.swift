// SPDX-License-Identifier: Apache-2.0

import Tensors

/// How a partition says which rows of a ragged tensor its elements belong to.
enum RowPartition {
  /// For each element, the row.
  case valueRows([Int])
  /// The elements of each row.
  case rowLengths([Int])

  /// A partition by the row of each element.
  ///
  /// - Throws: `KernelError` where a number is that of no row.
  init(valueRows rows: [Int]) throws(KernelError) {
    for row in rows where !(0..<Int(Int32.max) ~= row) { throw .invalid("row \(row)") }
    self = .valueRows(rows)
  }

  /// A partition by where each row begins, with the end of the last one.
  ///
  /// - Throws: `KernelError` where they decrease.
  init(rowSplits splits: [Int]) throws(KernelError) {
    var lengths: [Int] = []
    for (start, end) in zip(splits, splits.dropFirst()) {
      guard start >= 0, start <= end else {
        throw .invalid("a row that begins at \(start) and ends at \(end)")
      }
      lengths.append(end - start)
    }
    self = .rowLengths(lengths)
  }

  /// How many elements the partition places.
  var elementCount: Int {
    switch self {
    case .valueRows(let rows): rows.count
    case .rowLengths(let lengths): lengths.reduce(0, +)
    }
  }

  /// How many rows the partition refers to.
  var rowCount: Int {
    switch self {
    case .valueRows(let rows): (rows.max() ?? -1) + 1
    case .rowLengths(let lengths): lengths.count
    }
  }

  /// The elements of the longest row; with lengths at least 1, as in TFLite, if there is a row.
  var longestRow: Int {
    switch self {
    case .valueRows(let rows):
      var (longest, first) = (0, 0)
      for index in rows.indices where rows[index] != rows[first] {
        longest = max(longest, index - first)
        first = index
      }
      return max(longest, rows.count - first)
    case .rowLengths(let lengths):
      return lengths.max().map { max(1, $0) } ?? 0
    }
  }

  /// Where the first `count` elements lie, if `parents` are the places of the rows: `step` apart, at
  /// most `width` of a row; nil for what has no place.
  ///
  /// - Throws: `KernelError` where a row is not there.
  func places(
    of count: Int, parents: [Int?], step: Int, width: Int
  ) throws(KernelError) -> [Int?] {
    var places: [Int?] = []
    switch self {
    case .valueRows(let rows):
      var column = 0
      for index in rows.indices.prefix(count) {
        column = index > 0 && rows[index] == rows[index - 1] ? column + 1 : 0
        guard parents.indices.contains(rows[index]) else {
          throw .invalid("row \(rows[index]) of \(parents.count)")
        }
        let parent = parents[rows[index]]
        places.append(column < width ? parent.map { $0 + column * step } : nil)
      }
    case .rowLengths(let lengths):
      guard lengths.count <= parents.count else {
        throw .invalid("\(lengths.count) rows of \(parents.count)")
      }
      for (parent, length) in zip(parents, lengths) {
        for column in 0..<min(length, count - places.count) {
          places.append(column < width ? parent.map { $0 + column * step } : nil)
        }
      }
    }
    return places
  }
}
