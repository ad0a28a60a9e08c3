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

/// Pools windows, vectors of channels of one or several windows side by side; a window's last vector
/// ends with its last channel, and what two of them have is computed twice.
///
/// Elements are taken row by row as the reference kernel does: `Step` makes one number of each and of
/// what there was before it, which is `start` at first. Where `divides`, their count divides the last.
@_alwaysEmitIntoClient
@inline(__always)
package func poolLine<Step: FloatRowOperation, I: FloatInstructions>(
  _ line: FloatPoolLine, _: Step.Type, from start: Float, divides: Bool, _: I.Type
) {
  let depth = unsafe line.depth
  guard depth > 0 else { return }
  let start = I.broadcast(start)
  // Vectors of fewer channels than they have lanes reach into the pixels that follow.
  let following = depth < I.laneCount ? (I.laneCount &- 1) / depth : 0
  let whole = unsafe max(line.count &- following, 0)
  var places = unsafe PoolPlaces<I>(line)
  var left = whole &* ((depth &+ I.laneCount &- 1) / I.laneCount)
  while left > 0 {
    if left == 1 {
      let taken = unsafe InlineArray<1, PoolPlace> { _ in unsafe places.next() }
      unsafe pooled(line, taken, from: start, divides, Step.self, I.self)
      left = 0
    } else {
      // Those beyond the last are the last again.
      let taken = unsafe InlineArray<4, PoolPlace> { part in
        unsafe part < left ? places.next() : places.current
      }
      unsafe pooled(line, taken, from: start, divides, Step.self, I.self)
      left &-= 4
    }
  }
  for window in unsafe whole..<line.count {
    let results = unsafe pooled(
      line, [line.input + window &* line.step], from: start, divides, Step.self, I.self
    ) { unsafe I.loadPrefix($0, count: depth) }
    unsafe I.storePrefix(results[0], to: line.output + window &* depth &* 4, count: depth)
  }
}

/// A vector of a window's channels.
@unsafe
@frozen
@usableFromInline
struct PoolPlace {
  /// The vector of the first pixel.
  @usableFromInline let input: UnsafeRawPointer
  /// Where the result goes.
  @usableFromInline let output: UnsafeMutableRawPointer

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer) {
    unsafe self.input = input
    unsafe self.output = output
  }
}

/// The vectors of a line's windows, one after the other.
@unsafe
@frozen
@usableFromInline
struct PoolPlaces<I: FloatInstructions> {
  @usableFromInline let step: Int
  @usableFromInline let depth: Int
  @usableFromInline let last: Int
  @usableFromInline var channel = 0
  @usableFromInline var input: UnsafeRawPointer
  @usableFromInline var output: UnsafeMutableRawPointer
  /// The last one that `next` gave.
  @usableFromInline var current: PoolPlace

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ line: FloatPoolLine) {
    unsafe step = line.step
    unsafe depth = line.depth
    unsafe last = max(line.depth &- I.laneCount, 0)
    unsafe input = line.input
    unsafe output = line.output
    unsafe current = PoolPlace(line.input, line.output)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func next() -> PoolPlace {
    let offset = unsafe min(channel, last) &* 4
    unsafe current = PoolPlace(input + offset, output + offset)
    unsafe channel &+= I.laneCount
    if unsafe channel >= depth {
      unsafe channel = 0
      unsafe input += step
      unsafe output += depth &* 4
    }
    return unsafe current
  }
}

/// Stores the results of `places`, in their order.
@_alwaysEmitIntoClient
@inline(__always)
func pooled<Step: FloatRowOperation, I: FloatInstructions, let count: Int>(
  _ line: FloatPoolLine, _ places: InlineArray<count, PoolPlace>, from start: I.Vector,
  _ divides: Bool, _: Step.Type, _: I.Type
) {
  let inputs = unsafe InlineArray<count, UnsafeRawPointer> { unsafe places[$0].input }
  let results = unsafe pooled(line, inputs, from: start, divides, Step.self, I.self) {
    unsafe I.load($0)
  }
  for part in 0..<count {
    unsafe places[part].output.storeBytes(of: results[part], as: I.Vector.self)
  }
}

/// What becomes of the vectors at `inputs`, of windows' first pixels, and of those of the other pixels.
@_alwaysEmitIntoClient
@inline(__always)
func pooled<Step: FloatRowOperation, I: FloatInstructions, let count: Int>(
  _ line: FloatPoolLine, _ inputs: InlineArray<count, UnsafeRawPointer>, from start: I.Vector,
  _ divides: Bool, _: Step.Type, _: I.Type, _ load: (UnsafeRawPointer) -> I.Vector
) -> InlineArray<count, I.Vector> {
  var results = InlineArray<count, I.Vector>(repeating: start)
  let pixelStep = unsafe line.depth &* 4
  var row = 0
  for _ in unsafe 0..<line.rowCount {
    var pixel = row
    for _ in unsafe 0..<line.columnCount {
      for part in 0..<count {
        results[part] = unsafe Step.apply(load(inputs[part] + pixel), results[part], I.self)
      }
      pixel &+= pixelStep
    }
    unsafe row &+= line.rowStep
  }
  let (lowest, highest) = unsafe (I.broadcast(line.lowest), I.broadcast(line.highest))
  let pixels = unsafe I.broadcast(Float(line.rowCount &* line.columnCount))
  for part in 0..<count {
    if divides { results[part] = I.divide(results[part], pixels) }
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
@_alwaysEmitIntoClient
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
