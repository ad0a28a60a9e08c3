// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import ModelFormat
internal import PageMarkup

extension BundleReport {
  /// The report as one page of HTML that refers to nothing outside itself and can be read without
  /// scripts.
  ///
  /// What the task says, what the bundle holds, then the sections of each model's report.
  public var html: String {
    let chapters = models.indices.map { (id: "model-\($0 + 1)", title: models[$0].name.printable) }
    var sections: [(id: String, title: String, content: Markup)] = [
      ("verdict", "Verdict", verdictSection)
    ]
    if let answer {
      sections.append(
        ("result", "Result", .section("result", "Result", [AuditReport.answer(answer)])))
    }
    sections.append(("bundle", "Bundle", bundleSection))
    return ReportPage(
      kind: "Audit of a bundle of TensorFlow Lite models", title: fileName, headline: headline,
      links: sections.map { ($0.id, $0.title) } + chapters + [("data", "Data")],
      content: sections.map(\.content) + models.indices.map(chapter)
        + [ReportPage.data(json, schema: Self.schema, command: options.command)],
      live: liveModel.flatMap { models[$0].report.live }
    ).html
  }

  /// The model whose layer readers can change: a page has one.
  private var liveModel: Int? { models.firstIndex { $0.report.live != nil } }

  private var headline: String {
    let nodes = models.reduce(0) { $0 + $1.report.layers.count }
    let work = models.reduce(0) { $0 + ($1.report.totalMultiplyAdds ?? 0) }
    return "\(models.count) model\(models.count == 1 ? "" : "s"), \(nodes) nodes, "
      + "\(byteCount.byteText), \((Double(work) / 1e6).short(4)) million MACs"
  }

  private func link(to model: Int) -> Markup {
    .tag("a", ["href": "#model-\(model + 1)"], models[model].name.printable)
  }

  private var verdictSection: Markup {
    .section(
      "verdict", "Verdict",
      models.indices.map { index in
        .group([.tag("h3", [:], [link(to: index)]), models[index].report.verdict])
      })
  }

  private var bundleSection: Markup {
    let rows = members.map { member in
      let model = models.firstIndex { $0.name == member.name }
      return Markup.Row([
        model.map { link(to: $0) } ?? .name(member.name), .text(member.byteCount.byteText),
        .text(member.fits ?? "no model"),
        .text(model.map { "\(models[$0].report.layers.count)" } ?? ""),
        .text(
          model.flatMap { models[$0].report.totalMultiplyAdds }.map {
            (Double($0) / 1e6).short(4)
          } ?? ""),
        .code(member.digest),
      ])
    }
    var facts: [(name: String, value: Markup)] = [
      ("File", .code(fileName)), ("Size", .text(byteCount.byteText)), ("SHA-256", .code(digest)),
    ]
    if let date = options.date { facts.append(("Date", .text(date))) }
    if !options.command.isEmpty { facts.append(("Made by", .code(options.command))) }
    return .section(
      "bundle", "Bundle",
      [
        .facts(facts),
        .table(
          caption: "What the bundle holds",
          [
            .words("Entry"), .numbers("Size"), .words("Fits"), .numbers("Nodes"),
            .numbers("Million MACs"), .words("SHA-256"),
          ], rows),
      ])
  }

  private func chapter(_ index: Int) -> Markup {
    let (name, report) = models[index]
    let id = "model-\(index + 1)"
    let sections = report.sections.filter { $0.id != "live" || liveModel == index }
    let links = sections.map { section in
      Markup.tag("li", [:], [.tag("a", ["href": "#\(section.id)"], section.title)])
    }
    return .tag(
      "article", ["id": id, "aria-labelledby": "\(id)-title"],
      [
        .tag("h2", ["id": "\(id)-title"], name.printable),
        .paragraph(report.headline),
        .group(
          [.tag("nav", ["aria-label": "Sections of \(name.printable)"], [.tag("ul", [:], links)])]
            + sections.map(\.content)
        ).nested("\(id)-"),
      ])
  }
}
