// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Windows of a tensor at locations that vectors of indices give: what `STABLEHLO_GATHER` reads and
/// `STABLEHLO_SCATTER` writes.
///
/// The other tensor (the gather's output, the scatter's updates) has two kinds of axes: some walk
/// within a window, the rest from one vector of indices to the next.
package struct IndexedWindows: Sendable, Hashable {
  /// An axis of the other tensor.
  package struct Axis: Sendable, Hashable {
    /// Elements along the axis.
    package let length: Int
    /// The windowed tensor's axis that it walks along; nil where it walks over the indices.
    package let window: Int?
    /// How far apart neighbors' vectors lie among the indices; 0 within a window.
    package let indexStride: Int
  }

  /// The axes of the other tensor.
  package let axes: [Axis]
  /// The windowed tensor's axis that each component of a vector is an index along.
  package let components: [Int]
  /// How far apart the components of a vector lie among the indices.
  package let componentStride: Int

  /// The other tensor's shape.
  package var lengths: [Int] { axes.map(\.length) }

  /// Windows of a tensor of rank `rank`.
  ///
  /// - Parameters:
  ///   - rank: the number of axes of the windowed tensor.
  ///   - windowAxes: the other tensor's axes that walk within a window.
  ///   - omittedAxes: the windowed tensor's axes that a window has no axis for.
  ///   - components: the windowed tensor's axis for each component of a vector.
  ///   - indices: the shape of the indices.
  ///   - vectorAxis: the axis of the indices that holds components; their rank where each is one.
  ///   - windowLengths: the lengths of a window.
  /// - Throws: `KernelError` where the numbers do not fit each other.
  package init(
    rank: Int, windowAxes: [Int64], omittedAxes: [Int64], components: [Int64],
    indices: Shape, vectorAxis: Int64, windowLengths: [Int]
  ) throws(KernelError) {
    let omitted = try Self.axes(omittedAxes, rank: rank)
    let kept = (0..<rank).filter { !omitted.contains($0) }
    guard kept.count == windowAxes.count, windowLengths.count == kept.count else {
      throw .invalid("windows of \(windowAxes.count) axes in a tensor with \(kept.count) for them")
    }
    guard 0...Int64(indices.rank) ~= vectorAxis else {
      throw .invalid("index vector axis \(vectorAxis) of indices of rank \(indices.rank)")
    }
    let locations = indices.dimensions.indices.filter { $0 != Int(vectorAxis) }
    let otherRank = locations.count + kept.count
    let positions = try Self.axes(windowAxes, rank: otherRank)
    self.components = try Self.axes(components, rank: rank)
    let isImplicit = Int(vectorAxis) == indices.rank
    guard components.count <= (isImplicit ? 1 : indices[Int(vectorAxis)]) else {
      throw .invalid("\(components.count) axes for the components of an index", .input(1))
    }
    componentStride = isImplicit ? 0 : indices.strides[Int(vectorAxis)]
    var axes: [Axis] = []
    var (windows, batches) = (0, 0)
    for position in 0..<otherRank {
      if positions.contains(position) {
        axes.append(Axis(length: windowLengths[windows], window: kept[windows], indexStride: 0))
        windows += 1
      } else {
        let location = locations[batches]
        axes.append(
          Axis(length: indices[location], window: nil, indexStride: indices.strides[location]))
        batches += 1
      }
    }
    self.axes = axes
  }

  /// Axes as positions, each once at most.
  private static func axes(_ values: [Int64], rank: Int) throws(KernelError) -> [Int] {
    guard values.allSatisfy({ 0..<Int64(rank) ~= $0 }), Set(values).count == values.count else {
      throw .invalid("axes \(values) of a tensor of rank \(rank)")
    }
    return values.map(Int.init)
  }

  /// A walk over the other tensor's elements in order: `repeat { … } while walk.next()`.
  package struct Walk {
    private let windows: IndexedWindows
    private var positions: [Int]
    /// Where the vector of the current element begins among the indices.
    package private(set) var vector = 0
    /// The current element's position within its window, along each axis of the windowed tensor.
    package private(set) var offsets: [Int]

    /// The walk at its first element; there must be one.
    package init(_ windows: IndexedWindows, rank: Int) {
      self.windows = windows
      positions = [Int](repeating: 0, count: windows.axes.count)
      offsets = [Int](repeating: 0, count: rank)
    }

    /// Goes to the next element; false after the last.
    package mutating func next() -> Bool {
      for axis in stride(from: windows.axes.count - 1, through: 0, by: -1) {
        let current = windows.axes[axis]
        positions[axis] += 1
        let isWrapped = positions[axis] == current.length
        let step = isWrapped ? 1 - current.length : 1
        if isWrapped { positions[axis] = 0 }
        if let window = current.window {
          offsets[window] += step
        } else {
          vector += step * current.indexStride
        }
        if !isWrapped { return true }
      }
      return false
    }
  }
}
