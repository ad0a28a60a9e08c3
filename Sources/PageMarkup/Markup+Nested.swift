// SPDX-License-Identifier: Apache-2.0

extension Markup {
  /// The piece as a part of a page that has others like it: IDs, and what refers to them, begin with
  /// `prefix`, and headings are one level lower.
  ///
  /// Verbatim markup stays as it is.
  package func nested(_ prefix: String) -> Markup {
    switch self {
    case .text, .verbatim: self
    case .group(let pieces): .group(pieces.map { $0.nested(prefix) })
    case .element(let name, let attributes, let children):
      .element(
        name: ["h2": "h3", "h3": "h4"][name] ?? name,
        attributes: attributes.map { $0.nested(prefix) },
        children: children.map { $0.nested(prefix) })
    }
  }
}

extension Markup.Attribute {
  fileprivate func nested(_ prefix: String) -> Markup.Attribute {
    switch name {
    case "id", "for", "aria-labelledby", "aria-describedby":
      Markup.Attribute(name: name, value: prefix + value)
    case "href" where value.hasPrefix("#"):
      Markup.Attribute(name: name, value: "#" + prefix + value.dropFirst())
    case _: self
    }
  }
}
