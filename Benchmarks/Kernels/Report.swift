// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// Prints a level's rates beside what is possible at best.
struct Report {
  let set: MicrokernelSet
  private let roofline: Roofline

  /// Measures the level's limits and prints them with the head of the table.
  init(_ set: MicrokernelSet) {
    self.set = set
    roofline = Roofline(set.peak)
    print("\(set): limits \(number(roofline.floatPeak / 1e9, width: 1)) GFLOP/s", terminator: " ")
    print("in float, \(number(roofline.bytePeak / 1e9, width: 1)) GMAC/s in bytes")
    print(
      padded("layer", to: 26), "float GFLOP/s   limit      %        µs",
      "   byte GMAC/s   limit      %        µs")
  }

  /// Prints one layer, which took these seconds in float and in bytes.
  func row(_ name: String, _ work: LayerWork, float: Double, byte: Double) {
    print(
      padded(name, to: 26),
      cells(2 * work.products, float, limit: roofline.floatSeconds(work), width: 13),
      cells(work.products, byte, limit: roofline.byteSeconds(work), width: 14))
  }

  /// Rate, limit, how much of it is reached, and the time.
  private func cells(
    _ operations: Double, _ seconds: Double, limit: Double, width: Int
  ) -> String {
    [
      number(operations / seconds / 1e9, width: width),
      number(operations / limit / 1e9, width: 7), number(100 * limit / seconds, width: 6),
      number(seconds * 1e6, width: 9),
    ].joined(separator: " ")
  }
}

/// A text filled up with blanks on the right.
private func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

/// A number with one decimal, filled up with blanks on the left.
private func number(_ value: Double, width: Int) -> String {
  let tenths = Int((value * 10).rounded())
  let text = "\(tenths / 10).\(tenths % 10)"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}
