// SPDX-License-Identifier: Apache-2.0

/// Finds those of many lifetimes that overlap another one: a segment tree over the steps of a plan.
struct LifetimeIndex {
  /// A stretch of steps, half of its parent's.
  private struct Node {
    /// Lifetimes that cover the stretch, but not the parent's.
    var items: [Int] = []
    /// How often lifetimes are among the items of this node and those below.
    var count = 0
    /// The latest question that came by.
    var question = 0
  }

  /// The first step is that of the root's left end; the children of node `n` are `2n` and `2n + 1`.
  private var nodes: [Node]
  private let width: Int
  /// How many questions there were.
  private var question = 0
  /// The latest question that each item was an answer to.
  private var answered: [Int] = []

  /// No lifetimes yet, of steps below `stepCount`.
  init(stepCount: Int) {
    var width = 1
    while width < stepCount { width *= 2 }
    self.width = width
    nodes = Array(repeating: Node(), count: 2 * width)
  }

  /// Adds the lifetime of `item`.
  mutating func insert(_ item: Int, _ lifetime: ClosedRange<Int>) {
    if item >= answered.count {
      answered += repeatElement(0, count: max(item + 1, 2 * answered.count) - answered.count)
    }
    for node in cover(lifetime) {
      nodes[node].items.append(item)
      var above = node
      while above > 0 {
        nodes[above].count += 1
        above /= 2
      }
    }
  }

  /// The items whose lifetimes overlap `lifetime`, each once; nil where there are more than `most`.
  ///
  /// An item is found once for each part of its lifetime that a node stands for, so that nil may
  /// come for somewhat fewer.
  mutating func overlapping(_ lifetime: ClosedRange<Int>, atMost most: Int) -> [Int]? {
    question += 1
    let parts = cover(lifetime)
    var above: [Int] = []
    for part in parts {
      var node = part / 2
      while node > 0, nodes[node].question != question {
        nodes[node].question = question
        above.append(node)
        node /= 2
      }
    }
    let longer = above.reduce(0) { $0 + nodes[$1].items.count }
    // A lifetime has two parts on each level at the most.
    let levels = 2 * (width.trailingZeroBitCount + 1)
    let bound = longer + parts.reduce(0) { $0 + nodes[$1].count }
    guard bound <= most * levels else { return nil }
    var found: [Int] = []
    for node in above { add(nodes[node].items, to: &found) }
    var waiting = parts
    while let node = waiting.popLast() {
      guard nodes[node].count > 0 else { continue }
      add(nodes[node].items, to: &found)
      if node < width {
        waiting.append(2 * node)
        waiting.append(2 * node + 1)
      }
    }
    return found.count <= most ? found : nil
  }

  /// Adds those of `items` that are no answer to this question yet.
  private mutating func add(_ items: [Int], to found: inout [Int]) {
    for item in items where answered[item] != question {
      answered[item] = question
      found.append(item)
    }
  }

  /// The nodes that together stand for the steps of `lifetime`.
  private func cover(_ lifetime: ClosedRange<Int>) -> [Int] {
    var result: [Int] = []
    var (left, right) = (lifetime.lowerBound + width, lifetime.upperBound + width + 1)
    while left < right {
      if left % 2 == 1 {
        result.append(left)
        left += 1
      }
      if right % 2 == 1 {
        right -= 1
        result.append(right)
      }
      (left, right) = (left / 2, right / 2)
    }
    return result
  }
}
