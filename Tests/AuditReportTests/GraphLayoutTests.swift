// SPDX-License-Identifier: Apache-2.0

import AuditReports
import PageMarkup
import Testing

/// Layout of graphs.
@Suite struct GraphLayoutTests {
  /// Graphs as the pairs of nodes that are joined.
  static let graphs: [[(source: Int, target: Int)]] = [
    [],
    [(0, 1), (1, 2), (2, 3)],
    [(0, 1), (1, 2), (0, 2), (2, 3), (0, 9)],
    (1..<10).map { (0, $0) },
    (0..<9).map { ($0, 9) },
    (0..<9).flatMap { source in (source + 1..<10).map { (source, $0) } },
  ]

  @Test(arguments: graphs)
  func `every node lies below all that it reads, and beside the others`(
    edges: [(source: Int, target: Int)]
  ) {
    let layout = GraphLayout(nodeCount: 10, edges: edges)
    for edge in edges {
      #expect(layout.center(ofNode: edge.source).y < layout.center(ofNode: edge.target).y)
    }
    for node in 0..<10 {
      let (x, y) = layout.center(ofNode: node)
      #expect(x >= GraphLayout.nodeWidth / 2 && x <= layout.width - GraphLayout.nodeWidth / 2)
      #expect(y >= GraphLayout.nodeHeight / 2 && y <= layout.height - GraphLayout.nodeHeight / 2)
      for other in 0..<node where layout.center(ofNode: other).y == y {
        #expect(abs(layout.center(ofNode: other).x - x) >= GraphLayout.nodeWidth)
      }
    }
  }

  @Test(arguments: graphs)
  func `edges lead from node to node and pass between the others`(
    edges: [(source: Int, target: Int)]
  ) throws {
    let layout = GraphLayout(nodeCount: 10, edges: edges)
    #expect(layout.paths.count == edges.count)
    for path in layout.paths {
      let first = try #require(path.points.first)
      #expect(first == layout.center(ofNode: path.source))
      for point in path.points.dropFirst().dropLast() {
        for node in 0..<10 where layout.center(ofNode: node).y == point.y {
          #expect(abs(layout.center(ofNode: node).x - point.x) > GraphLayout.nodeWidth / 2)
        }
      }
    }
  }

  @Test func `edges to nodes that come earlier, or are not there, are left out`() {
    let layout = GraphLayout(nodeCount: 2, edges: [(1, 0), (0, 7), (0, 0)])
    #expect(layout.paths.isEmpty)
    #expect(GraphLayout(nodeCount: 0, edges: []).height > 0)
  }
}
