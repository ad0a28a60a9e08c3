// SPDX-License-Identifier: Apache-2.0

import Formatting

/// A piece of an HTML or SVG document.
///
/// Texts and attribute values are escaped when they are written, so that names from a model cannot
/// become markup.
package indirect enum Markup: Sendable {
  /// Text.
  case text(String)
  /// An element.
  case element(name: String, attributes: [Attribute], children: [Markup])
  /// Pieces behind each other.
  case group([Markup])
  /// Markup that is written as it is: style sheets, scripts and documents made here.
  case verbatim(String)

  /// An attribute of an element.
  package struct Attribute: Sendable {
    package let name: String
    package let value: String
  }

  /// Nothing.
  package static let nothing = Markup.group([])

  /// An element.
  package static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [Markup] = []
  ) -> Markup {
    .element(
      name: name, attributes: attributes.map { Attribute(name: $0.key, value: $0.value) },
      children: children)
  }

  /// An element that holds text.
  package static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ text: String
  ) -> Markup { tag(name, attributes, [.text(text)]) }

  /// The document's text.
  package var rendered: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Elements of HTML that have no end tag.
  private static let voidNames: Set<String> = ["meta", "img", "br", "input", "link", "hr", "col"]
  /// Elements that begin on a line of their own, so that a file can be compared line by line.
  private static let lineNames: Set<String> = [
    "head", "body", "section", "header", "footer", "main", "nav", "article", "table", "thead",
    "tbody", "tr", "figure", "svg", "g", "details", "h1", "h2", "h3", "p", "ul", "ol", "li", "dl",
    "h4", "script", "style", "meta", "title",
  ]

  private func write(to text: inout String) {
    switch self {
    case .text(let words): text.append(xmlEscaped: words, keepsLines: true)
    case .verbatim(let words): text += words
    case .group(let pieces): for piece in pieces { piece.write(to: &text) }
    case .element(let name, let attributes, let children):
      if Self.lineNames.contains(name) { text += "\n" }
      text += "<\(name)"
      for attribute in attributes {
        text += " \(attribute.name)=\""
        text.append(xmlEscaped: attribute.value, keepsLines: true)
        text += "\""
      }
      text += ">"
      if Self.voidNames.contains(name) { return }
      for child in children { child.write(to: &text) }
      text += "</\(name)>"
    }
  }
}

extension Markup: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Text.
  package init(stringLiteral value: String) { self = .text(value) }
}
