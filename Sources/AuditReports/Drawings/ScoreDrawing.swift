// SPDX-License-Identifier: Apache-2.0

internal import AuditFacts
internal import Formatting
internal import Imaging
internal import PageMarkup

extension Drawing {
  /// The scores of classes over the windows of a sound; gaps where a score is no finite number.
  static func scores(of facts: TaskFacts) -> Markup {
    let (left, width, height) = (44.0, 780.0, 180.0)
    let all = facts.curves.flatMap(\.scores).filter(\.isFinite)
    guard let first = facts.times.first, let last = facts.times.last, let most = all.max() else {
      return .nothing
    }
    let (low, high) = (min(0, all.min() ?? 0), max(1, most))
    let span = Double(max(last - first, 1))
    func x(_ index: Int) -> Double {
      last == first ? left + width / 2 : left + width * Double(facts.times[index] - first) / span
    }
    func y(_ score: Double) -> Double { 10 + height * (1 - (score - low) / (high - low)) }
    var drawing = Drawing(
      width: left + width + 16, height: height + 44 + 18 * Double(facts.curves.count))
    for tick in 0...4 {
      let value = low + (high - low) * Double(tick) / 4
      drawing.line(left, y(value), left + width, y(value), style: "stroke:var(--line)")
      drawing.text(left - 6, y(value) + 4, value.short(3), anchor: "end", style: "faint")
    }
    for tick in 0...(last == first ? 0 : 4) {
      let time = Double(first) + span * Double(tick) / 4
      let place = last == first ? left + width / 2 : left + width * Double(tick) / 4
      drawing.text(
        place, height + 26, "\((time / 1000).short(4)) s", anchor: "middle", style: "faint")
    }
    for (number, curve) in facts.curves.enumerated() {
      let color = PixelColor.distinct(number)
      let paint = "rgb(\(color.red),\(color.green),\(color.blue))"
      for (index, score) in curve.scores.enumerated() where score.isFinite {
        guard facts.times.indices.contains(index) else { break }
        if index > 0, curve.scores[index - 1].isFinite {
          drawing.line(
            x(index - 1), y(curve.scores[index - 1]), x(index), y(score),
            style: "stroke:\(paint);stroke-width:2")
        }
        drawing.rectangle(
          x(index) - 2.5, y(score) - 2.5, 5, 5, fill: paint,
          title: "\(curve.name) \(score.fixed(3)) at \(facts.times[index]) ms")
      }
      let line = height + 44 + 18 * Double(number)
      drawing.rectangle(left, line - 4, 14, 4, fill: paint)
      drawing.text(left + 22, line + 1, curve.name)
    }
    return drawing.markup("Scores of classes over time")
  }
}
