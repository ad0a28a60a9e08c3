// SPDX-License-Identifier: Apache-2.0

/// Where the nodes of a graph are drawn: in ranks from the top down, each below all that it reads.
///
/// Edges over several ranks get a place in each, so that they pass between the nodes. The order
/// within ranks follows the mean position of the neighbors (Sugiyama, Tagawa and Toda, Methods for
/// Visual Understanding of Hierarchical System Structures, 1981).
package struct GraphLayout {
  /// Something in a rank: a node, or the position where an edge passes.
  private struct Item {
    /// The node; nil for a passing edge.
    let node: Int?
    /// The items of the rank above that it hangs on, by number.
    var above: [Int] = []
    /// The items of the rank below, by number.
    var below: [Int] = []
    var x = 0.0
    let rank: Int
  }

  /// Points along an edge, from the node that is read to the one that reads.
  package struct Path {
    package let source: Int
    package let target: Int
    package let points: [(x: Double, y: Double)]
  }

  /// The width of a node.
  package static let nodeWidth = 176.0
  /// The height of a node.
  package static let nodeHeight = 34.0
  private static let rankHeight = 58.0
  private static let passWidth = 22.0
  /// More positions for edges than these are not looked for: such edges are drawn straight.
  private static let passLimit = 20_000

  private var items: [Item] = []
  private var ranks: [[Int]] = []
  private var itemOfNode: [Int: Int] = [:]
  private let edges: [(source: Int, target: Int)]
  /// The items that each edge passes, ends included.
  private var routes: [[Int]] = []

  /// The layout of nodes 0 to `nodeCount` − 1, which are in an order in which each stands behind
  /// all that it reads.
  package init(nodeCount: Int, edges: [(source: Int, target: Int)]) {
    self.edges = edges.filter { $0.source < $0.target && $0.target < nodeCount }
    var rankOfNode = [Int](repeating: 0, count: nodeCount)
    for edge in self.edges.sorted(by: { $0.target < $1.target }) {
      rankOfNode[edge.target] = max(rankOfNode[edge.target], rankOfNode[edge.source] + 1)
    }
    ranks = Array(repeating: [], count: (rankOfNode.max() ?? -1) + 1)
    for node in 0..<nodeCount { itemOfNode[node] = add(Item(node: node, rank: rankOfNode[node])) }
    let passCount = self.edges.reduce(0) {
      $0 + max(rankOfNode[$1.target] - rankOfNode[$1.source] - 1, 0)
    }
    for edge in self.edges {
      route(edge, rankOfNode, hasPasses: passCount <= Self.passLimit)
    }
    for _ in 0..<4 {
      order(downwards: true)
      order(downwards: false)
    }
    order(downwards: true)
    location()
  }

  private mutating func add(_ item: Item) -> Int {
    items.append(item)
    ranks[item.rank].append(items.count - 1)
    return items.count - 1
  }

  private mutating func route(
    _ edge: (source: Int, target: Int), _ rankOfNode: [Int], hasPasses: Bool
  ) {
    guard let first = itemOfNode[edge.source], let last = itemOfNode[edge.target] else { return }
    var route = [first]
    if hasPasses {
      for rank
        in (rankOfNode[edge.source] + 1)..<max(
          rankOfNode[edge.target], rankOfNode[edge.source] + 1)
      {
        route.append(add(Item(node: nil, rank: rank)))
      }
    }
    route.append(last)
    for (upper, lower) in zip(route, route.dropFirst()) {
      items[upper].below.append(lower)
      items[lower].above.append(upper)
    }
    routes.append(route)
  }

  /// Sorts each rank by the mean position of its neighbors in the one before.
  private mutating func order(downwards: Bool) {
    for rank in downwards ? Array(ranks.indices) : ranks.indices.reversed() {
      var locations: [Int: Double] = [:]
      for (location, item) in ranks[rank].enumerated() {
        let neighbors = downwards ? items[item].above : items[item].below
        locations[item] =
          neighbors.isEmpty
          ? Double(location) : neighbors.reduce(0) { $0 + items[$1].x } / Double(neighbors.count)
      }
      ranks[rank].sort { (locations[$0] ?? 0, $0) < (locations[$1] ?? 0, $1) }
      for (location, item) in ranks[rank].enumerated() { items[item].x = Double(location) }
    }
  }

  private func width(_ item: Int) -> Double {
    items[item].node == nil ? Self.passWidth : Self.nodeWidth + 24
  }

  /// Puts every item below the mean of what it hangs on, as far as the others leave room.
  private mutating func location() {
    for rank in ranks.indices {
      let wanted = ranks[rank].map { item -> Double in
        let above = items[item].above
        return above.isEmpty
          ? 0 : above.reduce(0) { $0 + items[$1].x } / Double(above.count)
      }
      var end = -Double.infinity
      var shift = 0.0
      for (location, item) in ranks[rank].enumerated() {
        items[item].x = max(wanted[location], end + width(item) / 2)
        end = items[item].x + width(item) / 2
        shift += wanted[location] - items[item].x
      }
      shift /= Double(max(ranks[rank].count, 1))
      for item in ranks[rank] { items[item].x += shift }
    }
    let left = items.indices.map { items[$0].x - width($0) / 2 }.min() ?? 0
    for item in items.indices { items[item].x -= left - 12 }
  }

  /// The width of the whole.
  package var width: Double { (items.indices.map { items[$0].x + width($0) / 2 }.max() ?? 0) + 12 }

  /// The height of the whole.
  package var height: Double { Double(ranks.count) * Self.rankHeight + 24 }

  /// The middle of a node.
  package func center(ofNode node: Int) -> (x: Double, y: Double) {
    guard let item = itemOfNode[node] else { return (0, 0) }
    return (items[item].x, middle(items[item].rank))
  }

  private func middle(_ rank: Int) -> Double { (Double(rank) + 0.5) * Self.rankHeight + 12 }

  /// The edges.
  package var paths: [Path] {
    zip(edges, routes).map { edge, route in
      Path(
        source: edge.source, target: edge.target,
        points: route.map { (items[$0].x, middle(items[$0].rank)) })
    }
  }
}
