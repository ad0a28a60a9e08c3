// SPDX-License-Identifier: Apache-2.0

/// One of several parts that a list of records is divided into, line by line in turn.
struct WorkerShard: Equatable {
  let index: Int
  let count: Int

  /// All records.
  static let whole = WorkerShard(index: 0, count: 1)

  private init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// The shard that `i/n` means; nil where these are not two numbers with 0 ≤ i < n.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], count > 0,
      (0..<count).contains(index)
    else { return nil }
    self.init(index: index, count: count)
  }

  /// Whether the line of this number, from 1, belongs to the shard.
  func contains(line number: Int) -> Bool { number % count == index }
}
