// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// MediaPipe's `MaxUnpooling2D`: the same results as the reference kernel, an image at a time, as a
/// place may lie beyond its window, where other windows write too.
final class FloatUnpool: BlockKernel {
  /// Places of a window for which a table is kept.
  private static let mostPlaces = 4096

  private let loop: UnpoolLoop
  /// For each place in a window, how many elements behind the window's first one it lies.
  private let offsets: [Int]

  /// The images of `loop`; nil where windows are huge.
  init?(_ loop: UnpoolLoop) {
    let (count, overflow) = loop.rows.window.multipliedReportingOverflow(by: loop.columns.window)
    guard !overflow, count <= Self.mostPlaces else { return nil }
    self.loop = loop
    offsets = (0..<count).map { place in
      let (down, right) = place.quotientAndRemainder(dividingBy: loop.columns.window)
      return (down * loop.columns.output + right) * loop.depth
    }
  }

  func blockCount(workerCount: Int) -> Int { loop.batchCount }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let maxima = unsafe frame.inputAddress(0), let places = unsafe frame.inputAddress(1)
    else { return }
    let (rows, columns, depth) = (loop.rows, loop.columns, loop.depth)
    let inputCount = rows.input * columns.input * depth
    let outputCount = rows.output * columns.output * depth
    while let image = next() {
      let first = image * inputCount * 4
      let output = unsafe frame.outputAddress(0) + image * outputCount * 4
      unsafe output.initializeMemory(as: Float.self, repeating: 0, count: outputCount)
      unsafe put(
        (maxima + first).assumingMemoryBound(to: Float.self),
        (places + first).assumingMemoryBound(to: Float.self),
        into: output.assumingMemoryBound(to: Float.self))
    }
  }

  /// Puts the elements of an image where they belong, in order.
  private func put(
    _ maxima: UnsafePointer<Float>, _ places: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>
  ) {
    let (rows, columns, depth) = (loop.rows, loop.columns, loop.depth)
    var position = 0
    for row in 0..<rows.input {
      let top = rows.start(row)
      for column in 0..<columns.input {
        let left = columns.start(column)
        let end = position + depth
        if rows.holdsWindow(at: top), columns.holdsWindow(at: left) {
          let window = unsafe output + (top * columns.output + left) * depth
          unsafe putInside(
            maxima + position, places + position, window, in: output, top: top, left: left)
        } else {
          for channel in 0..<depth {
            unsafe put(
              maxima[position + channel], at: places[position + channel], top, left, channel,
              into: output)
          }
        }
        position = end
      }
    }
  }

  /// Puts the elements of all channels into a window that lies in the image.
  private func putInside(
    _ maxima: UnsafePointer<Float>, _ places: UnsafePointer<Float>,
    _ window: UnsafeMutablePointer<Float>, in output: UnsafeMutablePointer<Float>, top: Int,
    left: Int
  ) {
    let end = Float(offsets.count)
    unsafe offsets.withUnsafeBufferPointer { offsets in
      for channel in 0..<loop.depth {
        let place = unsafe places[channel]
        if place > -1, place < end {
          unsafe window[offsets[Int(place)] + channel] = maxima[channel]
        } else {
          unsafe put(maxima[channel], at: place, top, left, channel, into: output)
        }
      }
    }
  }

  /// Puts an element where it belongs, if that lies in the image.
  private func put(
    _ maximum: Float, at place: Float, _ top: Int, _ left: Int, _ channel: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    if let pixel = loop.pixel(of: place, top: top, left: left) {
      unsafe output[pixel * loop.depth + channel] = maximum
    }
  }
}

extension UnpoolLoop.Axis {
  /// Whether all of a window lies in the output that starts there.
  fileprivate func holdsWindow(at start: Int) -> Bool { start >= 0 && start <= output - window }
}
