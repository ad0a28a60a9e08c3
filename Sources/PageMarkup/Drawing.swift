// SPDX-License-Identifier: Apache-2.0

import Formatting

/// A vector drawing in points of the page, from the top left corner.
package struct Drawing {
  package let width: Double
  package let height: Double
  package private(set) var parts: [Markup] = []

  /// An empty drawing of this size.
  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The drawing as an element; `text` says what it shows to those who do not see it.
  package func markup(_ text: String) -> Markup {
    .tag(
      "svg",
      [
        "width": "\(Int(width.rounded(.up)))",
        "height": "\(Int(height.rounded(.up)))",
        "viewBox": "0 0 \(width.mark) \(height.mark)", "role": "img", "aria-label": text,
      ], parts)
  }

  /// A drawing whose parts are links and have names of their own.
  package func group(_ text: String) -> Markup {
    .tag(
      "svg",
      [
        "width": "\(Int(width.rounded(.up)))",
        "height": "\(Int(height.rounded(.up)))",
        "viewBox": "0 0 \(width.mark) \(height.mark)", "role": "document", "aria-label": text,
      ], parts)
  }

  /// Adds a piece.
  package mutating func add(_ part: Markup) { parts.append(part) }

  /// Adds a rectangle; `title` is what shows when it is pointed at.
  package mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: String, title: String = "",
    style: String = ""
  ) {
    add(
      .tag(
        "rect",
        [
          "x": x.mark, "y": y.mark, "width": max(width, 0).mark, "height": max(height, 0).mark,
          "style": "fill:\(fill);\(style)",
        ], title.isEmpty ? [] : [.tag("title", [:], title)]))
  }

  /// Adds a straight line.
  package mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, style: String)
  {
    add(
      .tag(
        "line",
        ["x1": x1.mark, "y1": y1.mark, "x2": x2.mark, "y2": y2.mark, "style": style]))
  }

  /// Adds a line of text whose foot is at `y`.
  package mutating func text(
    _ x: Double, _ y: Double, _ words: String, anchor: String = "start", style: String = "label"
  ) {
    add(
      .tag(
        "text",
        [
          "x": x.mark, "y": y.mark, "text-anchor": anchor, "class": style,
        ], words))
  }
}

extension Double {
  /// The number as drawings have it: up to two digits behind the point.
  package var mark: String {
    isFinite ? fixed(upTo: 2) : "0"
  }
}
