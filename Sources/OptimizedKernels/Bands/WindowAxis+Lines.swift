// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

extension WindowAxis {
  /// Input elements from the first tap of the first of `count` neighboring windows to the last tap
  /// of the last.
  func reach(_ count: Int) -> Int {
    count > 0 ? (count - 1) * stride + (window - 1) * dilation + 1 : 0
  }

  /// Whether no window reaches beyond the input.
  var staysInside: Bool { padding == 0 && reach(output) <= input }

  /// The input elements from the first to the last that windows of `outputs` have, without padding.
  func inputs(for outputs: Range<Int>) -> Range<Int> {
    let first = origin(outputs.lowerBound)
    let start = min(max(first, 0), input)
    return start..<max(min(first + reach(outputs.count), input), start)
  }
}
