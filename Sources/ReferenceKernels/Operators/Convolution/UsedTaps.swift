// SPDX-License-Identifier: Apache-2.0

extension WindowAxis {
  /// Some neighboring taps of the same window at the same positions.
  package init(_ axis: WindowAxis, taps: Range<Int>) {
    window = taps.count
    padding = axis.padding - taps.lowerBound * axis.dilation
    (input, stride, dilation, output) = (axis.input, axis.stride, axis.dilation, axis.output)
  }

  /// The taps that lie within the input at some position, with those between them.
  package var usedTaps: Range<Int> {
    var used: Range<Int>?
    for position in 0..<output {
      let taps = taps(from: origin(position))
      guard !taps.isEmpty else { continue }
      let first = min(used?.lowerBound ?? window, taps.lowerBound)
      used = first..<max(used?.upperBound ?? 0, taps.upperBound)
    }
    return used ?? 0..<0
  }
}
