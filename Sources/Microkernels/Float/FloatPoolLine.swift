// SPDX-License-Identifier: Apache-2.0

/// Windows of one row of output pixels, of which all channels are pooled.
@unsafe
@frozen
@usableFromInline
package struct FloatPoolLine {
  /// The first pixel of the first window.
  @usableFromInline package var input: UnsafeRawPointer
  /// Where the first window's result goes.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Windows.
  @usableFromInline package var count: Int
  /// Bytes from one window's first pixel to the next one's.
  @usableFromInline package var step: Int
  /// Rows of pixels in a window.
  @usableFromInline package var rowCount: Int
  /// Bytes from one row to the next.
  @usableFromInline package var rowStep: Int
  /// Pixels in each row of a window.
  @usableFromInline package var columnCount: Int
  /// Channels of a pixel; pixels lie behind each other.
  @usableFromInline package var depth: Int
  /// What no result is less than.
  @usableFromInline package var lowest: Float
  /// What no result is greater than.
  @usableFromInline package var highest: Float

  /// Windows of these parts.
  package init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int, step: Int,
    rowCount: Int, rowStep: Int, columnCount: Int, depth: Int, lowest: Float, highest: Float
  ) {
    unsafe self.input = input
    unsafe self.output = output
    unsafe self.count = count
    unsafe self.step = step
    unsafe self.rowCount = rowCount
    unsafe self.rowStep = rowStep
    unsafe self.columnCount = columnCount
    unsafe self.depth = depth
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}

/// Pools windows, one or two vectors of channels at a time; the last one ends with the last channel,
/// and what two of them have is computed twice.
///
/// Elements are taken row by row as the reference kernel does: `Step` makes one number of each and of
/// what there was before it, which is `start` at first. Where `divides`, their count divides the last.
@inlinable
@inline(__always)
package func poolLine<Step: FloatRowOperation, I: FloatInstructions>(
  _ line: FloatPoolLine, _: Step.Type, from start: Float, divides: Bool, _: I.Type
) {
  let depth = unsafe line.depth
  let last = depth &- I.laneCount
  let start = I.broadcast(start)
  var (input, output) = unsafe (line.input, line.output)
  for _ in unsafe 0..<line.count {
    var channel = 0
    while channel &+ I.laneCount <= last {
      let offset = channel &* 4
      let results = unsafe pooled(line, input + offset, from: start, divides, Step.self, I.self) {
        unsafe [I.load($0), I.load($0 + I.laneCount &* 4)]
      }
      unsafe output.storeBytes(of: results[0], toByteOffset: offset, as: I.Vector.self)
      unsafe output.storeBytes(
        of: results[1], toByteOffset: offset &+ I.laneCount &* 4, as: I.Vector.self)
      channel &+= 2 &* I.laneCount
    }
    while channel < depth && last >= 0 {
      let offset = min(channel, last) &* 4
      let results = unsafe pooled(line, input + offset, from: start, divides, Step.self, I.self) {
        unsafe [I.load($0)]
      }
      unsafe output.storeBytes(of: results[0], toByteOffset: offset, as: I.Vector.self)
      channel &+= I.laneCount
    }
    if last < 0 {
      let results = unsafe pooled(line, input, from: start, divides, Step.self, I.self) {
        unsafe [I.loadPrefix($0, count: depth)]
      }
      unsafe I.storePrefix(results[0], to: output, count: depth)
    }
    unsafe input += line.step
    unsafe output += depth &* 4
  }
}

/// A window pooled, as many vectors of channels as `load` gives of a pixel.
@inlinable
@inline(__always)
package func pooled<Step: FloatRowOperation, I: FloatInstructions, let vectors: Int>(
  _ line: FloatPoolLine, _ first: UnsafeRawPointer, from start: I.Vector, _ divides: Bool,
  _: Step.Type, _: I.Type, _ load: (UnsafeRawPointer) -> InlineArray<vectors, I.Vector>
) -> InlineArray<vectors, I.Vector> {
  var results = InlineArray<vectors, I.Vector>(repeating: start)
  var row = unsafe first
  for _ in unsafe 0..<line.rowCount {
    var pixel = unsafe row
    for _ in unsafe 0..<line.columnCount {
      let values = unsafe load(pixel)
      for part in 0..<vectors { results[part] = Step.apply(values[part], results[part], I.self) }
      unsafe pixel += line.depth &* 4
    }
    unsafe row += line.rowStep
  }
  let (lowest, highest) = unsafe (I.broadcast(line.lowest), I.broadcast(line.highest))
  for part in 0..<vectors {
    if divides {
      let count = unsafe Float(line.rowCount &* line.columnCount)
      results[part] = I.divide(results[part], I.broadcast(count))
    }
    results[part] = I.clamp(results[part], lowest, highest)
  }
  return results
}

/// Windows of one row of output pixels, of whose channels the maxima are found with their places.
@unsafe
@frozen
@usableFromInline
package struct FloatArgmaxLine {
  /// The windows, and where the maxima go.
  @usableFromInline package var line: FloatPoolLine
  /// Where the places go: those of the maxima in their windows, plus 0.1.
  @usableFromInline package var places: UnsafeMutableRawPointer
  /// The place of the first pixel.
  @usableFromInline package var firstPlace: Int
  /// From the place of a pixel to that of the one below.
  @usableFromInline package var placeStep: Int

  /// Windows of these parts.
  package init(
    line: FloatPoolLine, places: UnsafeMutableRawPointer, firstPlace: Int, placeStep: Int
  ) {
    unsafe self.line = line
    unsafe self.places = places
    unsafe self.firstPlace = firstPlace
    unsafe self.placeStep = placeStep
  }
}

/// Finds the maxima of windows, a vector of channels at a time, in the reference kernel's order.
@inlinable
@inline(__always)
package func argmaxLine<I: FloatInstructions>(_ task: FloatArgmaxLine, _: I.Type) {
  let line = unsafe task.line
  let depth = unsafe line.depth
  let last = depth &- I.laneCount
  var (input, output, places) = unsafe (line.input, line.output, task.places)
  @inline(__always)
  func find(
    _ first: UnsafeRawPointer, _ load: (UnsafeRawPointer) -> I.Vector
  ) -> (maximum: I.Vector, place: I.Vector) {
    var (maximum, place) = (I.broadcast(-.greatestFiniteMagnitude), I.broadcast(0))
    var (row, rowPlace) = unsafe (first, task.firstPlace)
    for _ in unsafe 0..<line.rowCount {
      var pixel = unsafe row
      for column in unsafe 0..<line.columnCount {
        let value = unsafe load(pixel)
        let here = I.broadcast(Float(rowPlace &+ column))
        place = I.select(maximum, lessThan: value, here, else: place)
        maximum = I.select(maximum, lessThan: value, value, else: maximum)
        unsafe pixel += depth &* 4
      }
      unsafe row += line.rowStep
      unsafe rowPlace &+= task.placeStep
    }
    let (lowest, highest) = unsafe (I.broadcast(line.lowest), I.broadcast(line.highest))
    return (I.clamp(maximum, lowest, highest), I.add(place, I.broadcast(0.1)))
  }
  for _ in unsafe 0..<line.count {
    if last >= 0 {
      var channel = 0
      while channel <= last {
        let found = unsafe find(input + channel &* 4) { unsafe I.load($0) }
        unsafe output.storeBytes(of: found.maximum, toByteOffset: channel &* 4, as: I.Vector.self)
        unsafe places.storeBytes(of: found.place, toByteOffset: channel &* 4, as: I.Vector.self)
        channel &+= I.laneCount
        if channel > last && channel < depth { channel = last }
      }
    } else {
      let found = unsafe find(input) { unsafe I.loadPrefix($0, count: depth) }
      unsafe I.storePrefix(found.maximum, to: output, count: depth)
      unsafe I.storePrefix(found.place, to: places, count: depth)
    }
    unsafe input += line.step
    unsafe output += depth &* 4
    unsafe places += depth &* 4
  }
}
