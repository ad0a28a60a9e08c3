// SPDX-License-Identifier: Apache-2.0

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
  let windows = unsafe line.windows
  let depth = unsafe windows.pixelSize / 4
  let last = depth &- I.laneCount
  var (input, output, places) = unsafe (windows.input, windows.output, task.places)
  @inline(__always)
  func find(
    _ first: UnsafeRawPointer, _ load: (UnsafeRawPointer) -> I.Vector
  ) -> (maximum: I.Vector, place: I.Vector) {
    var (maximum, place) = (I.broadcast(-.greatestFiniteMagnitude), I.broadcast(0))
    var (row, rowPlace) = unsafe (first, task.firstPlace)
    for _ in unsafe 0..<windows.rowCount {
      var pixel = unsafe row
      for column in unsafe 0..<windows.columnCount {
        let value = unsafe load(pixel)
        let here = I.broadcast(Float(rowPlace &+ column))
        place = I.select(maximum, lessThan: value, here, else: place)
        maximum = I.select(maximum, lessThan: value, value, else: maximum)
        unsafe pixel += windows.pixelSize
      }
      unsafe row += windows.rowStep
      unsafe rowPlace &+= task.placeStep
    }
    let (lowest, highest) = unsafe (I.broadcast(line.lowest), I.broadcast(line.highest))
    return (I.clamp(maximum, lowest, highest), I.add(place, I.broadcast(0.1)))
  }
  for _ in unsafe 0..<windows.count {
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
    unsafe input += windows.step
    unsafe output += windows.pixelSize
    unsafe places += windows.pixelSize
  }
}
