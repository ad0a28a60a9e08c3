// SPDX-License-Identifier: Apache-2.0

extension Drawing {
  /// A bar from zero to a share of the whole width.
  package static func bar(_ share: Double, _ text: String) -> Markup {
    var drawing = Drawing(width: 120, height: 10)
    drawing.rectangle(0, 0, 120, 10, fill: "var(--line)")
    drawing.rectangle(0, 0, 120 * min(max(share, 0), 1), 10, fill: "var(--bar)")
    return drawing.markup(text)
  }

  /// Numbers as points of a line from left to right, higher ones further up; nil is a gap.
  package static func curve(
    _ series: [(name: String, color: String, values: [Double?])], unit: String, text: String
  ) -> Markup {
    let (left, width, height) = (52.0, 940.0, 210.0)
    let finite = series.flatMap(\.values).compactMap { $0 }.filter(\.isFinite)
    guard let least = finite.min(), let most = finite.max() else { return .nothing }
    let (low, high) = (min(0, least.rounded(.down)), max(most.rounded(.up), 1))
    func y(_ value: Double) -> Double { 10 + height * (1 - (value - low) / (high - low)) }
    var drawing = Drawing(width: left + width + 12, height: height + 44)
    for tick in 0...4 {
      let value = low + (high - low) * Double(tick) / 4
      drawing.line(left, y(value), left + width, y(value), style: "stroke:var(--line)")
      drawing.text(
        left - 6, y(value) + 4, "\(Int(value.rounded())) \(unit)", anchor: "end", style: "faint")
    }
    for (number, line) in series.enumerated() {
      let step = width / Double(max(line.values.count - 1, 1))
      for (index, value) in line.values.enumerated() {
        guard let value, value.isFinite else { continue }
        let x = left + Double(index) * step
        if index > 0, let before = line.values[index - 1], before.isFinite {
          drawing.line(
            x - step, y(before), x, y(value), style: "stroke:\(line.color);stroke-width:1.6")
        }
        drawing.rectangle(x - 1.6, y(value) - 1.6, 3.2, 3.2, fill: line.color)
      }
      drawing.rectangle(left + Double(number) * 220, height + 28, 12, 4, fill: line.color)
      drawing.text(left + Double(number) * 220 + 18, height + 34, line.name)
    }
    return drawing.markup(text)
  }
}
