// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import JSONDocuments
internal import LiveKernels
internal import Martlet
internal import PageMarkup
internal import PageResources

/// A page of HTML that refers to nothing outside itself and can be read without scripts.
struct ReportPage {
  /// What the page is, in a few words.
  let kind: String
  let title: String
  /// What it is about, in one line.
  let headline: String
  /// The sections that links lead to.
  let links: [(id: String, title: String)]
  let content: [Markup]
  /// The layer in it that readers can change.
  let live: LiveSection?

  /// The document.
  var html: String {
    let page = Markup.tag(
      "html", ["lang": "en"], [.tag("head", [:], head), .tag("body", [:], body)])
    return "<!DOCTYPE html>\n" + page.rendered + "\n"
  }

  private var body: [Markup] {
    let items = links.map { link in
      Markup.tag("li", [:], [.tag("a", ["href": "#\(link.id)"], link.title)])
    }
    return [
      .tag("a", ["class": "skip", "href": "#verdict"], "Skip to the verdict"),
      .tag(
        "header", [:],
        [
          .tag("p", ["class": "hint"], kind), .tag("h1", [:], title), .tag("p", [:], headline),
          .tag("nav", ["aria-label": "Sections"], [.tag("ul", [:], items)]),
        ]),
      .tag("main", [:], content),
      .tag(
        "footer", [:],
        [
          .paragraph(
            "Made by Martlet \(Engine.version). The page holds all it shows; it loads and sends "
              + "nothing.")
        ]),
      .tag("script", [:], [.verbatim(PageResource.reportScript.text)]),
      live.map { .tag("script", [:], [.verbatim($0.script)]) } ?? .nothing,
    ]
  }

  private var head: [Markup] {
    [
      .tag("meta", ["charset": "utf-8"]),
      .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .tag(
        "meta",
        [
          "http-equiv": "Content-Security-Policy",
          "content": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
            + "script-src 'unsafe-inline'" + (live == nil ? "" : " 'wasm-unsafe-eval'"),
        ]),
      .tag("title", [:], "Audit of \(title)"),
      .tag("style", [:], [.verbatim(PageResource.reportStyle.text + (live?.style ?? ""))]),
    ]
  }

  /// The section with all facts for programs.
  ///
  /// - Parameters:
  ///   - json: the facts.
  ///   - schema: the name of the document's form.
  ///   - command: the command that makes the page again; empty where it is not known.
  /// - Returns: the section.
  static func data(_ json: JSON, schema: String, command: String) -> Markup {
    var text = json.compactText
    // A search for what is hardly ever there, in a text of many megabytes.
    if text.utf8.contains(UInt8(ascii: "<")) { text = text.replacing(text: "<", with: "\\u003c") }
    var content: [Markup] = [
      .hint(
        "The facts of this page as a document for programs, schema \(schema), are in the element "
          + "with the id report-data."),
      .tag("script", ["type": "application/json", "id": "report-data"], [.verbatim(text)]),
    ]
    if !command.isEmpty {
      content += [
        .paragraph("The page is made again, to the byte, by:"), .tag("pre", [:], [.code(command)]),
      ]
    }
    return .section("data", "Data", content)
  }
}
