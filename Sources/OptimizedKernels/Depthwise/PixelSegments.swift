// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

/// How pixels of few channels are put side by side, so that they fill vectors.
///
/// Rows of output pixels are cut into segments of one length. The first pixels of all segments are
/// one pixel with all their channels, the second ones the next, and so on: a convolution of so many
/// times the channels over rows as short as a segment, whose windows still share columns.
struct PixelSegments: Sendable {
  /// Segments of a row.
  let count: Int
  /// Output pixels of a segment; the last ones may lack some.
  let length: Int
  /// Channels of a pixel.
  private let channelCount: Int
  /// Bytes of a pixel.
  let pixelByteCount: Int

  /// The segments that make rows of `columns.output` pixels with so many channels take fewest lanes;
  /// nil where copying would take as much time as they save.
  ///
  /// `lanes` says how many lanes are computed for so many channels, at most `limit` at once.
  init?(
    _ columns: WindowAxis, channelCount: Int, elementByteCount: Int, limit: Int,
    lanes: (_ channelCount: Int) -> Int
  ) {
    guard channelCount > 0, channelCount < limit, columns.output >= Self.shortestRow else {
      return nil
    }
    let single = Double(lanes(channelCount))
    let costs = (2...max(limit / channelCount, 2)).map { count in
      (count: count, lanes: Double(lanes(count * channelCount)) / Double(count))
    }
    guard let best = costs.min(by: { $0.lanes < $1.lanes }), single >= Self.leastGain * best.lanes
    else { return nil }
    length = (columns.output + best.count - 1) / best.count
    count = (columns.output + length - 1) / length
    self.channelCount = channelCount
    pixelByteCount = channelCount * elementByteCount
  }

  /// Fewer pixels are not worth the copies.
  private static var shortestRow: Int { 12 }
  /// By what factor there must be fewer lanes.
  private static var leastGain: Double { 1.6 }

  /// Bytes of the pixels of all segments that lie side by side.
  var joinedByteCount: Int { count * pixelByteCount }

  /// Writes a row of `pitch` joined pixels: those that the segments' windows reach over.
  ///
  /// `row` is the input's row, `padding` a pixel of the padding.
  func join(
    _ row: UnsafeRawPointer, _ columns: WindowAxis, padding: UnsafeRawPointer, pitch: Int,
    to target: UnsafeMutableRawPointer
  ) {
    for segment in 0..<count {
      let origin = columns.origin(segment * length)
      let before = min(max(-origin, 0), pitch)
      let inside = min(max(min(origin + pitch, columns.input) - origin - before, 0), pitch - before)
      let first = unsafe target + segment * pixelByteCount
      let second = unsafe first + before * joinedByteCount
      let third = unsafe second + inside * joinedByteCount
      unsafe copy(padding, step: 0, to: first, step: joinedByteCount, count: before)
      unsafe copy(
        row + (origin + before) * pixelByteCount, step: pixelByteCount, to: second,
        step: joinedByteCount, count: inside)
      unsafe copy(
        padding, step: 0, to: third, step: joinedByteCount, count: pitch - before - inside)
    }
  }

  /// Writes a row of `columnCount` pixels from joined ones.
  func separate(
    _ joined: UnsafeRawPointer, columnCount: Int, to row: UnsafeMutableRawPointer
  ) {
    for segment in 0..<count {
      let first = segment * length
      unsafe copy(
        joined + segment * pixelByteCount, step: joinedByteCount,
        to: row + first * pixelByteCount, step: pixelByteCount,
        count: min(length, columnCount - first))
    }
  }

  /// The weights and the bias for joined pixels, of a filter with so many taps; biases have 4 bytes.
  func joined(_ weights: ConstantWeights, tapCount: Int) -> ConstantWeights {
    weights.repeated(
      count,
      filter: weights.filter.repeatingRows(tapCount, byteCount: pixelByteCount, times: count),
      biasByteCount: channelCount * 4)
  }

  /// Copies `count` pixels.
  private func copy(
    _ source: UnsafeRawPointer, step sourceStep: Int, to target: UnsafeMutableRawPointer,
    step targetStep: Int, count: Int
  ) {
    guard count > 0 else { return }
    unsafe copyTile(
      source, width: sourceStep, to: target, stride: targetStep, rows: count,
      columns: pixelByteCount)
  }
}
