// SPDX-License-Identifier: Apache-2.0

internal import ModelFormat

extension Markup {
  /// A column of a table.
  package struct Column {
    /// What the head says.
    package let title: String
    /// Whether the cells hold numbers, which are set flush right.
    package var isNumeric = false

    /// A column of texts.
    package static func words(_ title: String) -> Column { Column(title: title) }
    /// A column of numbers.
    package static func numbers(_ title: String) -> Column { Column(title: title, isNumeric: true) }
  }

  /// A row of a table.
  package struct Row {
    /// What links lead to; empty for none.
    package var id = ""
    package let cells: [Markup]

    /// A row of these cells.
    package init(id: String = "", _ cells: [Markup]) {
      self.id = id
      self.cells = cells
    }
  }

  /// A table in a box that scrolls sideways where the page is narrow.
  package static func table(caption: String, _ columns: [Column], _ rows: [Row]) -> Markup {
    let head = columns.map { column in
      tag("th", column.isNumeric ? ["scope": "col", "class": "n"] : ["scope": "col"], column.title)
    }
    let body = rows.map { row in
      let cells = zip(columns, row.cells).map { column, cell in
        tag("td", column.isNumeric ? ["class": "n"] : [:], [cell])
      }
      return tag("tr", row.id.isEmpty ? [:] : ["id": row.id], cells)
    }
    return tag(
      "div", ["class": "scroll", "role": "region", "aria-label": caption, "tabindex": "0"],
      [
        tag(
          "table", [:],
          [
            tag("caption", [:], caption), tag("thead", [:], [tag("tr", [:], head)]),
            tag("tbody", [:], body),
          ])
      ])
  }

  /// Names and what is said about each.
  package static func facts(_ facts: [(name: String, value: Markup)]) -> Markup {
    tag(
      "dl", [:],
      facts.flatMap { fact in [tag("dt", [:], fact.name), tag("dd", [:], [fact.value])] })
  }

  /// A section of the page, which links lead to.
  package static func section(_ id: String, _ title: String, _ children: [Markup]) -> Markup {
    tag(
      "section", ["id": id, "aria-labelledby": "\(id)-title"],
      [tag("h2", ["id": "\(id)-title"], title)] + children)
  }

  /// A paragraph.
  package static func paragraph(_ text: String) -> Markup { tag("p", [:], text) }

  /// A paragraph that explains what is shown.
  package static func hint(_ text: String) -> Markup { tag("p", ["class": "hint"], text) }

  /// Code.
  package static func code(_ text: String) -> Markup { tag("code", [:], text) }

  /// A name from the model, of which long ones are cut.
  package static func name(_ text: String) -> Markup { code(text.printable) }

  /// A part that opens on demand.
  package static func details(_ summary: String, _ children: [Markup]) -> Markup {
    tag("details", [:], [tag("summary", [:], summary)] + children)
  }
}
