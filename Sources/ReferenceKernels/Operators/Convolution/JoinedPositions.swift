// SPDX-License-Identifier: Apache-2.0

extension WindowAxis {
  /// The windows at `count` neighboring positions as one, of neighboring taps; the output is so many
  /// times shorter.
  fileprivate init(joining count: Int, of axis: WindowAxis) {
    input = axis.input
    window = axis.window + (count - 1) * axis.stride
    stride = count * axis.stride
    dilation = 1
    output = axis.output / count
    padding = axis.padding
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
  package func joining(_ count: Int) -> Conv2DNest? {
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

  /// The weights of `joining(count)`, of a byte each: for each pixel the filter where its window lies,
  /// and `filler` where that of another does.
  package func joinedFilter(
    _ filter: Span<UInt8>, joining count: Int, filler: UInt8
  ) -> [UInt8] {
    let (rows, columns) = (geometry.rows, geometry.columns)
    let length = columns.window * inputDepth
    let shift = columns.stride * inputDepth
    let joinedLength = length + (count - 1) * shift
    let lineCount = outputDepth * rows.window
    var joined = [UInt8](repeating: filler, count: count * lineCount * joinedLength)
    for pixel in 0..<count {
      for line in 0..<lineCount {
        let first = (pixel * lineCount + line) * joinedLength + pixel * shift
        for index in 0..<length { joined[first + index] = filter[line * length + index] }
      }
    }
    return joined
  }
}
