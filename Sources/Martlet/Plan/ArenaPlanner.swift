// SPDX-License-Identifier: Apache-2.0

/// Places tensors in one allocation so that those alive at the same time never overlap.
///
/// Greedy by size, as TFLite's arena planner does: the largest tensor first, each into the
/// smallest gap between the tensors already placed that live at the same time, else behind them.
/// Yury Pisarchyk and Juhyun Lee, "Efficient Memory Management for Deep Neural Net Inference",
/// 2020.
package struct ArenaPlanner {
  /// A tensor that needs a location.
  package struct Request: Sendable, Equatable {
    /// The bytes it takes.
    package let byteCount: Int
    /// The steps of the plan during which it must keep its values.
    package let lifetime: ClosedRange<Int>

    /// A tensor of `byteCount` bytes, alive from the first to the last step of `lifetime`.
    package init(byteCount: Int, lifetime: ClosedRange<Int>) {
      self.byteCount = byteCount
      self.lifetime = lifetime
    }
  }

  /// Where every tensor lies.
  package struct Placement: Sendable, Equatable {
    /// The offset of each request in order, in bytes.
    package let offsets: [Int]
    /// The bytes of the whole arena.
    package let byteCount: Int
  }

  /// The arena would be larger than memory sizes can say, or than the limit allows.
  package struct Overflow: Error {}

  /// Offsets are multiples of this: a cache line.
  package static let alignment = 64

  /// The placement of `requests`.
  ///
  /// - Throws: `Overflow` when the arena would exceed `limit` bytes.
  package static func location(
    _ requests: [Request], limit: Int = Int.max / 4
  ) throws(Overflow) -> Placement {
    let order = requests.indices.sorted { first, second in
      let (a, b) = (requests[first], requests[second])
      return (-a.byteCount, a.lifetime.lowerBound, first)
        < (-b.byteCount, b.lifetime.lowerBound, second)
    }
    var offsets = [Int](repeating: 0, count: requests.count)
    var placed = PlacedTensors(
      isIndexed: requests.count > mostScanned,
      stepCount: (requests.map(\.lifetime.upperBound).max() ?? 0) + 1)
    for index in order where requests[index].byteCount > 0 {
      let request = requests[index]
      guard request.byteCount <= limit else { throw Overflow() }
      let offset = placed.bestOffset(for: aligned(request.byteCount), request.lifetime)
      guard offset <= limit - request.byteCount else { throw Overflow() }
      offsets[index] = offset
      placed.insert(
        PlacedTensors.Tensor(
          offset: offset, end: aligned(offset + request.byteCount), lifetime: request.lifetime))
    }
    return Placement(offsets: offsets, byteCount: placed.end)
  }

  /// Tensors up to which it is fastest to go through all of those that are placed.
  private static let mostScanned = 1024

  private static func aligned(_ byteCount: Int) -> Int {
    (byteCount + alignment - 1) / alignment * alignment
  }

  /// The least that any placement needs: the largest sum of sizes alive at one step.
  package static func lowerBound(_ requests: [Request]) -> Int {
    let steps = requests.map(\.lifetime.upperBound).max() ?? 0
    var changes = [Int](repeating: 0, count: steps + 2)
    for request in requests {
      changes[request.lifetime.lowerBound] += aligned(request.byteCount)
      changes[request.lifetime.upperBound + 1] -= aligned(request.byteCount)
    }
    var (alive, most) = (0, 0)
    for change in changes {
      alive += change
      most = max(most, alive)
    }
    return most
  }
}
