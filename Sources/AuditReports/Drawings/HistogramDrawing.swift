// SPDX-License-Identifier: Apache-2.0

internal import PageMarkup
internal import Traces

extension Drawing {
  /// A histogram as bars: bins by powers of two, negative ones to the left of zero.
  ///
  /// Heights follow the square root of the count, so that thin tails show.
  static func histogram(_ histogram: Histogram, of name: String) -> Markup {
    let counts = histogram.counts
    guard let first = counts.firstIndex(where: { $0 > 0 }),
      let last = counts.lastIndex(where: { $0 > 0 }), let most = counts.max()
    else { return .text("–") }
    let (height, zero) = (28.0, Histogram.binCount / 2)
    var drawing = Drawing(width: Double(Histogram.binCount) * 2, height: height)
    drawing.line(
      Double(zero) * 2 + 1, 0, Double(zero) * 2 + 1, height, style: "stroke:var(--line)")
    for bin in first...last where counts[bin] > 0 {
      let tall = max(1, (Double(counts[bin]) / Double(most)).squareRoot() * height)
      drawing.rectangle(Double(bin) * 2, height - tall, 1.6, tall, fill: "var(--bar)")
    }
    return drawing.markup("Histogram of \(name)")
  }
}
