// SPDX-License-Identifier: Apache-2.0

/// The tensors of an arena that have their places, and the gaps between them.
struct PlacedTensors {
  /// A tensor in its place.
  struct Tensor {
    /// Its first byte.
    let offset: Int
    /// Where the next one may begin.
    let end: Int
    /// The steps of the plan during which it keeps its values.
    let lifetime: ClosedRange<Int>
  }

  /// A tensor that lives at the same time as more others than these is placed behind all of them,
  /// so that the time to plan many grows with their number alone.
  private static let mostCompared = 512

  /// In the order of their offsets; where there is an index, in the order in which they came.
  private var tensors: [Tensor] = []
  private var index: LifetimeIndex?
  /// The end of the last one.
  private(set) var end = 0

  /// None yet, of a plan of `stepCount` steps; an index finds those that live at the same time
  /// where there will be many.
  init(isIndexed: Bool, stepCount: Int) {
    index = isIndexed ? LifetimeIndex(stepCount: stepCount) : nil
  }

  /// Adds a tensor.
  mutating func insert(_ tensor: Tensor) {
    end = max(end, tensor.end)
    guard index == nil else {
      index?.insert(tensors.count, tensor.lifetime)
      tensors.append(tensor)
      return
    }
    var places = tensors.startIndex..<tensors.endIndex
    while !places.isEmpty {
      let middle = places.lowerBound + places.count / 2
      if tensors[middle].offset < tensor.offset {
        places = middle + 1..<places.upperBound
      } else {
        places = places.lowerBound..<middle
      }
    }
    tensors.insert(tensor, at: places.lowerBound)
  }

  /// The start of the smallest gap of at least `byteCount` bytes between the tensors that live
  /// during `lifetime`, else of what is behind them.
  mutating func bestOffset(for byteCount: Int, _ lifetime: ClosedRange<Int>) -> Int {
    var gaps = Gaps(least: byteCount)
    guard index == nil else {
      guard let found = index?.overlapping(lifetime, atMost: Self.mostCompared) else { return end }
      for tensor in found.map({ tensors[$0] }).sorted(by: { $0.offset < $1.offset }) {
        gaps.pass(tensor)
      }
      return gaps.best
    }
    for tensor in tensors where tensor.lifetime.overlaps(lifetime) { gaps.pass(tensor) }
    return gaps.best
  }

  /// The gaps between tensors that are passed in the order of their offsets.
  private struct Gaps {
    /// The bytes that a gap must have.
    let least: Int
    private var found: Int?
    private var byteCount = Int.max
    private var free = 0

    init(least: Int) { self.least = least }

    /// Where the smallest gap begins, or what is behind all tensors.
    var best: Int { found ?? free }

    mutating func pass(_ tensor: Tensor) {
      let gap = tensor.offset - free
      if gap >= least, gap < byteCount {
        found = free
        byteCount = gap
      }
      free = max(free, tensor.end)
    }
  }
}
