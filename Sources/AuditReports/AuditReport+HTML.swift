// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import JSONDocuments
internal import LiveKernels
internal import MetadataFormat
internal import ModelFormat
internal import PageMarkup
internal import PageResources

extension AuditReport {
  /// The report as one page of HTML that refers to nothing outside itself and can be read without
  /// scripts.
  public var html: String {
    let sections: [(id: String, title: String, content: Markup)] = [
      ("verdict", "Verdict", verdictSection), ("result", "Result", resultSection),
      ("preprocessing", "Input", preprocessingSection), ("identity", "Identity", identitySection),
      ("card", "Model card", cardSection), ("operators", "Operators", operatorSection),
      ("graph", "Graph", graphSection), ("layers", "Layers", layerSection),
      ("memory", "Memory", memorySection), ("activations", "Activations", activationSection),
      ("features", "Feature maps", featureSection),
      ("live", "Live kernel", liveSection),
      ("quantization", "Quantization", quantizationSection),
      ("weights", "Weights", weightSection), ("proof", "Determinism", proofSection),
      ("data", "Data", dataSection),
    ]
    let links = sections.map { section in
      Markup.tag("li", [:], [.tag("a", ["href": "#\(section.id)"], section.title)])
    }
    let body: [Markup] = [
      .tag("a", ["class": "skip", "href": "#verdict"], "Skip to the verdict"),
      .tag(
        "header", [:],
        [
          .tag("p", ["class": "hint"], "Audit of a TensorFlow Lite model"),
          .tag("h1", [:], identity.fileName),
          .tag("p", [:], headline),
          .tag("nav", ["aria-label": "Sections"], [.tag("ul", [:], links)]),
        ]),
      .tag("main", [:], sections.map(\.content)),
      .tag(
        "footer", [:],
        [
          .paragraph(
            "Made by Martlet \(identity.engineVersion). The page holds all it shows; it loads and "
              + "sends nothing.")
        ]),
      .tag("script", [:], [.verbatim(PageResource.reportScript.text)]),
      live.map { .tag("script", [:], [.verbatim($0.script)]) } ?? .nothing,
    ]
    let head: [Markup] = [
      .tag("meta", ["charset": "utf-8"]),
      .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .tag(
        "meta",
        [
          "http-equiv": "Content-Security-Policy",
          "content": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
            + "script-src 'unsafe-inline'" + (live == nil ? "" : " 'wasm-unsafe-eval'"),
        ]),
      .tag("title", [:], "Audit of \(identity.fileName)"),
      .tag("style", [:], [.verbatim(PageResource.reportStyle.text + (live?.style ?? ""))]),
    ]
    let page = Markup.tag(
      "html", ["lang": "en"], [.tag("head", [:], head), .tag("body", [:], body)])
    return "<!DOCTYPE html>\n" + page.rendered + "\n"
  }

  /// A layer that readers can change.
  private var liveSection: Markup {
    .section(
      "live", "Live kernel",
      [live.map { .verbatim($0.html) } ?? .paragraph("No layer is small enough to be shown here.")])
  }

  /// The model in one line.
  private var headline: String {
    let work = totalMultiplyAdds.map { ", \((Double($0) / 1e6).short(4)) million MACs" } ?? ""
    let name = metadata?.name.flatMap { $0.isEmpty ? nil : "\($0.printable): " } ?? ""
    return "\(name)\(layers.count) nodes, \(weightByteCount.byteText) of weights\(work)"
      + (memory.map { ", an arena of \($0.arenaByteCount.byteText)" } ?? "")
  }

  /// All of it for programs.
  private var dataSection: Markup {
    var text = json.compactText
    // A search for what is hardly ever there, in a text of many megabytes.
    if text.utf8.contains(UInt8(ascii: "<")) { text = text.replacing(text: "<", with: "\\u003c") }
    var content: [Markup] = [
      .hint(
        "The facts of this page as a document for programs, schema \(Self.schema), are in the element "
          + "with the id report-data."),
      .tag(
        "script", ["type": "application/json", "id": "report-data"], [.verbatim(text)]),
    ]
    if !identity.command.isEmpty {
      content += [
        .paragraph("The page is made again, to the byte, by:"),
        .tag("pre", [:], [.code(identity.command)]),
      ]
    }
    return .section("data", "Data", content)
  }
}
