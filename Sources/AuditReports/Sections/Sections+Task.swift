// SPDX-License-Identifier: Apache-2.0

internal import AuditFacts
internal import Formatting
internal import Imaging
internal import JSONDocuments
internal import ModelChecks
internal import ModelFormat
internal import ModelTasks
internal import PageMarkup

extension AuditReport {
  /// What the model's task says.
  static func answer(_ facts: TaskFacts) -> Markup {
    var content: [Markup] = [
      .hint("The task is told from the model: \(facts.task.command), \(facts.task.summary).")
    ]
    for (image, caption) in facts.images {
      content.append(
        .figure(
          .image(image, caption, scale: image.width < 160 ? 4 : 1, isSmooth: image.width >= 160),
          caption: "\(facts.name.printable): \(caption)"))
    }
    if !facts.curves.isEmpty {
      content.append(.figure(Drawing.scores(of: facts), caption: facts.curveCaption))
    }
    content += facts.tables.map { table in
      .table(
        caption: table.caption,
        table.columns.map { $0.isNumber ? .numbers($0.name) : .words($0.name) },
        table.rows.map { row in Markup.Row(row.map { .text($0) }) })
    }
    return .group(content)
  }

  /// What became the input.
  static func inputSection(_ facts: TaskFacts) -> Markup {
    .section(
      "preprocessing", "Input", [.facts(facts.input.map { ($0.name, .text($0.value)) })])
  }

  /// Where the inputs come from.
  static func inputSection(_ origin: InputOrigin) -> Markup {
    .section(
      "preprocessing", "Input",
      origin.images.map { image, caption in
        .figure(
          .image(image, caption, scale: image.width < 160 ? 4 : 1, isSmooth: image.width >= 160),
          caption: caption)
      } + [.paragraph(origin.words)])
  }
}

extension TaskFacts {
  /// The answer for a program, without images.
  var json: JSON {
    .record([
      "task": .string(task.rawValue), "takes": .string(subject.rawValue), "of": .string(name),
      "milliseconds": times.isEmpty ? nil : .array(times.map { .integer($0) }),
      "classes": curves.isEmpty
        ? nil
        : .array(
          curves.map { curve in
            [
              "name": .string(curve.name),
              "scores": .array(curve.scores.map { $0.isFinite ? .number($0) : .null }),
            ]
          }),
      "tables": .array(
        tables.map { table in
          [
            "caption": .string(table.caption),
            "columns": .array(table.columns.map { .string($0.name) }),
            "rows": .array(table.rows.map { .array($0.map { .string($0) }) }),
          ]
        }),
    ])
  }
}
