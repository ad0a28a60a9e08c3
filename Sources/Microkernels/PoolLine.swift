// SPDX-License-Identifier: Apache-2.0

/// Windows of one row of output pixels, of which all channels are pooled.
@unsafe
@frozen
@usableFromInline
package struct PoolLine {
  /// The first pixel of the first window.
  @usableFromInline package var input: UnsafeRawPointer
  /// Where what may be read ends.
  @usableFromInline package var end: UnsafeRawPointer
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
  /// Bytes of a pixel; pixels lie behind each other.
  @usableFromInline package var pixelSize: Int

  /// Windows of these parts.
  package init(
    input: UnsafeRawPointer, end: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int,
    step: Int, rowCount: Int, rowStep: Int, columnCount: Int, pixelSize: Int
  ) {
    unsafe self.input = input
    unsafe self.end = end
    unsafe self.output = output
    unsafe self.count = count
    unsafe self.step = step
    unsafe self.rowCount = rowCount
    unsafe self.rowStep = rowStep
    unsafe self.columnCount = columnCount
    unsafe self.pixelSize = pixelSize
  }
}

/// What becomes of the vectors of a window's pixels.
@usableFromInline
package protocol PoolSteps {
  /// A vector.
  associatedtype Vector: BitwiseCopyable
  /// What is known of a vector of channels after some pixels.
  associatedtype Total

  /// Bytes of a vector.
  static var byteCount: Int { get }

  /// What there is before the first pixel.
  var start: Total { get }

  /// The vector at `pointer`.
  func load(_ pointer: UnsafeRawPointer) -> Vector

  /// The first bytes at `pointer`, fewer than a vector's; reads no others.
  func loadPrefix(_ pointer: UnsafeRawPointer, byteCount: Int) -> Vector

  /// Writes a result's first bytes.
  func storePrefix(_ result: Vector, to pointer: UnsafeMutableRawPointer, byteCount: Int)

  /// What a pixel and what there was before it make.
  func take(_ pixel: Vector, into total: Total) -> Total

  /// The result of all pixels.
  func finish(_ total: Total) -> Vector
}

/// Pools windows, vectors of channels of one or several windows side by side; a window's last vector
/// ends with its last channel, and what two of them have is computed twice.
///
/// Pixels are taken row by row as the reference kernel does.
@_alwaysEmitIntoClient
@inline(__always)
package func poolLine<Steps: PoolSteps>(_ line: PoolLine, _ steps: Steps) {
  let (size, width) = unsafe (line.pixelSize, Steps.byteCount)
  guard size > 0 else { return }
  // Vectors that are longer than a pixel reach into those that follow.
  let following = size < width ? (width &- 1) / size : 0
  let whole = unsafe max(line.count &- following, 0)
  var places = unsafe PoolPlaces(line, width: width)
  var left = whole &* ((size &+ width &- 1) / width)
  while left > 0 {
    if left == 1 {
      let taken = unsafe InlineArray<1, PoolPlace> { _ in unsafe places.next() }
      unsafe pooled(line, taken, steps)
      left = 0
    } else {
      // Those beyond the last are the last again.
      let taken = unsafe InlineArray<4, PoolPlace> { part in
        unsafe part < left ? places.next() : places.current
      }
      unsafe pooled(line, taken, steps)
      left &-= 4
    }
  }
  // How far a window's vectors reach from its first pixel on.
  let reach =
    unsafe (line.rowCount &- 1) &* line.rowStep &+ (line.columnCount &- 1) &* size &+ width
  for window in unsafe whole..<line.count {
    let input = unsafe line.input + window &* line.step
    let results =
      unsafe line.end - input >= reach
      ? pooled(line, [input], steps) { unsafe steps.load($0) }
      : pooled(line, [input], steps) { unsafe steps.loadPrefix($0, byteCount: size) }
    unsafe steps.storePrefix(results[0], to: line.output + window &* size, byteCount: size)
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
struct PoolPlaces {
  @usableFromInline let step: Int
  @usableFromInline let size: Int
  @usableFromInline let width: Int
  @usableFromInline let last: Int
  @usableFromInline var offset = 0
  @usableFromInline var input: UnsafeRawPointer
  @usableFromInline var output: UnsafeMutableRawPointer
  /// The last one that `next` gave.
  @usableFromInline var current: PoolPlace

  @_alwaysEmitIntoClient
  @inline(__always)
  init(_ line: PoolLine, width: Int) {
    unsafe step = line.step
    unsafe size = line.pixelSize
    unsafe self.width = width
    unsafe last = max(line.pixelSize &- width, 0)
    unsafe input = line.input
    unsafe output = line.output
    unsafe current = PoolPlace(line.input, line.output)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func next() -> PoolPlace {
    let here = unsafe min(offset, last)
    unsafe current = PoolPlace(input + here, output + here)
    unsafe offset &+= width
    if unsafe offset >= size {
      unsafe offset = 0
      unsafe input += step
      unsafe output += size
    }
    return unsafe current
  }
}

/// Stores the results of `places`, in their order.
@_alwaysEmitIntoClient
@inline(__always)
func pooled<Steps: PoolSteps, let count: Int>(
  _ line: PoolLine, _ places: InlineArray<count, PoolPlace>, _ steps: Steps
) {
  let inputs = unsafe InlineArray<count, UnsafeRawPointer> { unsafe places[$0].input }
  let results = unsafe pooled(line, inputs, steps) { unsafe steps.load($0) }
  for part in 0..<count {
    unsafe places[part].output.storeBytes(of: results[part], as: Steps.Vector.self)
  }
}

/// What becomes of the vectors at `inputs`, of windows' first pixels, and of those of the other pixels.
@_alwaysEmitIntoClient
@inline(__always)
func pooled<Steps: PoolSteps, let count: Int>(
  _ line: PoolLine, _ inputs: InlineArray<count, UnsafeRawPointer>, _ steps: Steps,
  _ load: (UnsafeRawPointer) -> Steps.Vector
) -> InlineArray<count, Steps.Vector> {
  var totals = InlineArray<count, Steps.Total>(repeating: steps.start)
  var row = 0
  for _ in unsafe 0..<line.rowCount {
    var pixel = row
    for _ in unsafe 0..<line.columnCount {
      for part in 0..<count {
        totals[part] = unsafe steps.take(load(inputs[part] + pixel), into: totals[part])
      }
      unsafe pixel &+= line.pixelSize
    }
    unsafe row &+= line.rowStep
  }
  return InlineArray { steps.finish(totals[$0]) }
}
