// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import ModelFormat
internal import ModelSummaries
internal import PageMarkup

extension Drawing {
  /// A memory plan: nodes from left to right, the arena's bytes from the bottom up.
  static func memory(_ memory: MemoryFacts) -> Markup {
    let (left, bottom, height) = (64.0, 26.0, 320.0)
    let steps = Double(max(memory.nodeCount, 1))
    let step = min(max(1000 / steps, 3), 40)
    let width = steps * step
    let bytes = Double(max(memory.arenaByteCount, 1))
    var drawing = Drawing(width: left + width + 8, height: height + bottom + 14)
    for tick in 0...4 {
      let y = 10 + height * (1 - Double(tick) / 4)
      drawing.line(left, y, left + width, y, style: "stroke:var(--line)")
      drawing.text(
        left - 6, y + 4, (memory.arenaByteCount * tick / 4).byteText, anchor: "end", style: "faint")
    }
    // Tensors that share memory lie at one offset: the one that lives longest is drawn.
    var drawn = Set<[Int]>()
    for (number, location) in memory.locations.enumerated()
    where drawn.insert([location.offset, location.byteCount, location.lifetime.lowerBound]).inserted
    {
      let y = 10 + height * (1 - Double(location.offset + location.byteCount) / bytes)
      drawing.rectangle(
        left + Double(location.lifetime.lowerBound) * step, y,
        Double(location.lifetime.count) * step, height * Double(location.byteCount) / bytes,
        fill: "hsl(\(200 + number * 37 % 60) \(34 + number * 13 % 22)% 56%)",
        title:
          "tensor \(location.tensor) \(memory.names[location.tensor].printable): \(location.byteCount.byteText) at "
          + "\(location.offset), nodes \(location.lifetime.lowerBound) to \(location.lifetime.upperBound)",
        style: "stroke:var(--panel);stroke-width:.6")
    }
    let lower = 10 + height * (1 - Double(memory.lowerBound) / bytes)
    drawing.line(
      left, lower, left + width, lower, style: "stroke:var(--bad);stroke-dasharray:5 4")
    let stride = max(1, Int((steps / 12).rounded(.up)))
    for node in Swift.stride(from: 0, to: memory.nodeCount, by: stride) {
      drawing.text(
        left + (Double(node) + 0.5) * step, height + 28, "\(node)", anchor: "middle",
        style: "faint")
    }
    return drawing.markup(
      "Memory plan: \(memory.locations.count) tensors in an arena of "
        + "\(memory.arenaByteCount.byteText) over \(memory.nodeCount) nodes")
  }
}
