// SPDX-License-Identifier: Apache-2.0

/// Byte strings with a number each, found byte by byte.
///
/// Nodes are numbered level by level, so the children of a node are consecutive and the edge at
/// index `e` leads to node `e + 1`: five bytes for a node and four for its number. A step takes at
/// most eight comparisons, whatever strings a file has; there is nothing to hash.
struct PieceTrie: Sendable {
  /// The node of the empty string.
  static let root = 0

  /// The first edge of each node, and behind them the count of edges.
  private var firstEdges: [Int32] = [0]
  /// The byte of each edge; ascending among those of a node.
  private var labels: [UInt8] = []
  /// The number of each node's string; −1 for none.
  private var values: [Int32] = []
  /// Where each byte leads from the root; −1 for nowhere.
  private var roots = [Int32](repeating: -1, count: 256)
  /// The indices of two keys that are the same, the later one first; nil where all differ.
  private(set) var duplicate: (later: Int, earlier: Int)?

  /// The trie of `keys`, with the numbers at the same indices.
  init(_ keys: [ArraySlice<UInt8>], numbers: [Int32]) {
    let order = Self.sorted(keys)
    // Nodes by the range of the sorted keys that begin with their strings.
    var ranges: [Range<Int>] = [0..<order.count]
    var node = 0
    var depth = 0
    var levelEnd = 1
    while node < ranges.count {
      if node == levelEnd {
        depth += 1
        levelEnd = ranges.count
      }
      add(ranges[node], depth: depth, keys: keys, order: order, numbers: numbers, to: &ranges)
      node += 1
    }
    for edge in edges(of: Self.root) { roots[Int(labels[edge])] = Int32(edge + 1) }
  }

  private mutating func add(
    _ range: Range<Int>, depth: Int, keys: [ArraySlice<UInt8>], order: [Int], numbers: [Int32],
    to ranges: inout [Range<Int>]
  ) {
    var low = range.lowerBound
    var value: Int32 = -1
    while low < range.upperBound, keys[order[low]].count == depth {
      if value >= 0 { duplicate = (order[low], order[low - 1]) }
      value = numbers[order[low]]
      low += 1
    }
    values.append(value)
    while low < range.upperBound {
      let label = Self.byte(keys[order[low]], depth)
      var high = low + 1
      while high < range.upperBound, Self.byte(keys[order[high]], depth) == label { high += 1 }
      labels.append(label)
      ranges.append(low..<high)
      low = high
    }
    firstEdges.append(Int32(labels.count))
  }

  private static func byte(_ key: ArraySlice<UInt8>, _ depth: Int) -> UInt8 {
    key[key.startIndex + depth]
  }

  /// The indices of keys in the order of their bytes.
  private static func sorted(_ keys: [ArraySlice<UInt8>]) -> [Int] {
    // Most keys differ in the first eight bytes.
    let prefixes = keys.map { key in
      var prefix: UInt64 = 0
      for offset in 0..<8 {
        prefix = prefix << 8 | UInt64(offset < key.count ? byte(key, offset) : 0)
      }
      return prefix
    }
    return keys.indices.sorted { first, second in
      if prefixes[first] != prefixes[second] { return prefixes[first] < prefixes[second] }
      if keys[first] == keys[second] { return first < second }
      return keys[first].lexicographicallyPrecedes(keys[second])
    }
  }

  private func edges(of node: Int) -> Range<Int> {
    Int(firstEdges[node])..<Int(firstEdges[node + 1])
  }

  /// The node of a node's string and one more byte; nil where no key begins so.
  func child(of node: Int, _ byte: UInt8) -> Int? {
    if node == Self.root {
      let child = roots[Int(byte)]
      return child < 0 ? nil : Int(child)
    }
    var low = Int(firstEdges[node])
    var high = Int(firstEdges[node + 1])
    while low < high {
      let middle = (low + high) / 2
      if labels[middle] < byte { low = middle + 1 } else { high = middle }
    }
    return low < Int(firstEdges[node + 1]) && labels[low] == byte ? low + 1 : nil
  }

  /// The number of a node's string; nil where it is no key.
  func number(at node: Int) -> Int? {
    let value = values[node]
    return value < 0 ? nil : Int(value)
  }

  /// The node of a string; nil where no key begins so.
  func node(_ bytes: some Sequence<UInt8>, from start: Int = root) -> Int? {
    var node = start
    for byte in bytes {
      guard let next = child(of: node, byte) else { return nil }
      node = next
    }
    return node
  }

  /// The number of a string; nil where it is no key.
  func number(of bytes: some Sequence<UInt8>) -> Int? {
    node(bytes).flatMap { number(at: $0) }
  }

  /// The length of the longest key that the bytes from `start` begin with; nil for none.
  func longestPrefix(_ bytes: [UInt8], from start: Int) -> Int? {
    var node = Self.root
    var longest: Int?
    var index = start
    while index < bytes.count, let next = child(of: node, bytes[index]) {
      node = next
      index += 1
      if values[node] >= 0 { longest = index - start }
    }
    return longest
  }
}
