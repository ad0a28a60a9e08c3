// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension WindowAxis {
  /// The windows at `count` neighboring positions as one, of neighboring taps; the output is so many
  /// times shorter.
  fileprivate init(joining count: Int, of axis: WindowAxis) {
    self.init(
      input: axis.input, window: axis.window + (count - 1) * axis.stride,
      stride: count * axis.stride, dilation: 1, output: axis.output / count, padding: axis.padding)
  }

  /// Whether each position is one element of the input.
  fileprivate var isIdentity: Bool {
    window == 1 && stride == 1 && padding == 0 && output == input
  }
}

extension Conv2DNest {
  /// The convolution that computes `count` neighboring pixels of a row as further channels of one;
  /// nil with groups, between taps that are no neighbors, or for rows of no such pixels.
  ///
  /// It has the weights of `joinedFilter`. In memory, its output is that of this convolution.
  func joining(_ count: Int) -> Conv2DNest? {
    let columns = geometry.columns
    guard groupDepth == inputDepth, columns.dilation == 1 || columns.window == 1,
      columns.output > 0, columns.output % count == 0
    else { return nil }
    let length = columns.output / count
    let isIdentity = columns.isIdentity
    let joined =
      isIdentity
      ? WindowAxis(input: length, window: 1, output: length, padding: 0)
      : WindowAxis(joining: count, of: columns)
    let depth = isIdentity ? count * inputDepth : inputDepth
    return Conv2DNest(
      geometry: WindowGeometry(rows: geometry.rows, columns: joined), batchCount: batchCount,
      inputDepth: depth, groupDepth: depth, outputDepth: count * outputDepth)
  }

  /// The weights of `joining(count)`, of a byte each, where `filter` has those of this convolution: for
  /// each pixel the filter where its window lies, and `filler` where that of another does.
  func joinedFilter(_ filter: TensorBytes, joining count: Int, filler: UInt8) -> TensorBytes {
    let (rows, columns) = (geometry.rows, geometry.columns)
    let length = columns.window * inputDepth
    let shift = columns.stride * inputDepth
    let joinedLength = length + (count - 1) * shift
    let lineCount = outputDepth * rows.window
    precondition(filter.byteCount >= lineCount * length)
    let joined = TensorBytes(zeroed: count * lineCount * joinedLength)
    var target = unsafe joined.address
    if filler != 0 {
      unsafe target.initializeMemory(as: UInt8.self, repeating: filler, count: joined.byteCount)
    }
    for pixel in 0..<count {
      var source = unsafe UnsafeRawPointer(filter.address)
      for _ in 0..<lineCount {
        unsafe (target + pixel * shift).copyMemory(from: source, byteCount: length)
        unsafe source += length
        unsafe target += joinedLength
      }
    }
    return joined
  }
}
