// SPDX-License-Identifier: Apache-2.0

extension CourseProgram {
  @Sendable static func greedyPlanner(_ print: (String) -> Void) {
    // Tensor, bytes, first and last node that needs it.
    let tensors = [
      (0, 3072, 0...16), (24, 6144, 0...3), (25, 6144, 1...3), (27, 6144, 3...4),
      (28, 1536, 4...5), (29, 1536, 5...6), (30, 3072, 6...9), (31, 3072, 7...9),
      (33, 3072, 9...10), (34, 768, 10...11), (35, 768, 11...12), (36, 1536, 12...13),
      (37, 96, 13...14), (38, 32, 14...15), (39, 10, 15...16), (40, 10, 16...16),
    ]
    func aligned(_ bytes: Int) -> Int { (bytes + 63) / 64 * 64 }

    var placed: [(tensor: Int, range: Range<Int>, nodes: ClosedRange<Int>)] = []
    // The largest first; of equal ones, the one that is needed first.
    for (tensor, bytes, nodes) in tensors.sorted(by: {
      ($1.1, $0.2.lowerBound) < ($0.1, $1.2.lowerBound)
    }) {
      let neighbors = placed.filter { $0.nodes.overlaps(nodes) }
        .sorted { $0.range.lowerBound < $1.range.lowerBound }
      var (free, best, smallest) = (0, -1, Int.max)
      for other in neighbors {
        let gap = other.range.lowerBound - free
        if gap >= aligned(bytes), gap < smallest { (best, smallest) = (free, gap) }
        free = max(free, aligned(other.range.upperBound))
      }
      let offset = best >= 0 ? best : free
      placed.append((tensor, offset..<offset + bytes, nodes))
    }
    for (tensor, range, nodes) in placed {
      print("tensor \(tensor): bytes \(range.lowerBound)..<\(range.upperBound), nodes \(nodes)")
    }
    let end = placed.map(\.range.upperBound).max() ?? 0
    let sum = tensors.map { $0.1 }.reduce(0, +)
    print("arena \(aligned(end)), side by side \(sum)")
  }
}
