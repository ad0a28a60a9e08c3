// SPDX-License-Identifier: Apache-2.0

import AuditReports
import Foundation
import Martlet
import Testing
import Verification

@Suite("audit pages")
struct PageTests {
  @Test("the same model and input give the same bytes")
  func repetition() throws {
    #expect(try AuditedModels.digitReport().html == AuditedModels.digitReport().html)
  }

  @Test("the page refers to nothing outside itself")
  func references() throws {
    let page = try AuditedModels.digitReport().html
    for attribute in ["src=\"", "href=\"", "url(", "@import", "action=\""] {
      for part in page.components(separatedBy: attribute).dropFirst() {
        #expect(
          part.hasPrefix("#") || part.hasPrefix("data:image/png;base64,"), "\(part.prefix(60))")
      }
    }
    #expect(page.contains("default-src 'none'"))
  }

  @Test("every element that begins ends, in order, and every link of the page has its target")
  func wellFormedness() throws {
    let page = try AuditedModels.digitReport().html
    let markup = page.replacing(/<script[^>]*>[\s\S]*?<\/script>/, with: "")
      .replacing(/<style>[\s\S]*?<\/style>/, with: "")
    let void: Set<String> = ["meta", "img", "br", "!DOCTYPE"]
    var open: [String] = []
    for tag in markup.matches(of: /<(\/?)([!A-Za-z0-9]+)[^>]*>/) {
      let name = String(tag.output.2)
      if void.contains(name) { continue }
      if tag.output.1.isEmpty {
        open.append(name)
      } else {
        #expect(open.popLast() == name)
      }
    }
    #expect(open.isEmpty)
    let ids = Set(page.matches(of: /\bid="([^"]+)"/).map { String($0.output.1) })
    for link in page.matches(of: /href="#([^"]+)"/) {
      #expect(ids.contains(String(link.output.1)), "\(link.output.1)")
    }
    #expect(ids.count == page.matches(of: /\bid="([^"]+)"/).count, "ids are unique")
  }

  @Test("every picture and drawing has a text for those who do not see it")
  func alternatives() throws {
    let page = try AuditedModels.digitReport().html
    for image in page.matches(of: /<img[^>]*>/) { #expect(image.output.contains("alt=\"")) }
    for drawing in page.matches(of: /<svg[^>]*>/) {
      #expect(drawing.output.contains("aria-label=\""))
    }
    #expect(page.contains("<html lang=\"en\">"))
    for landmark in ["<header>", "<nav ", "<main>", "<footer>"] {
      #expect(page.contains(landmark))
    }
  }

  @Test("names from a model cannot become markup")
  func escaping() throws {
    let name = "serving_default_picture:0"
    let hostile = "</script><svg onload=a()>"
    var bytes = try InputFile.bytes(
      at: "\(AuditedModels.root)/Models/digits/digits_int8.tflite")
    let old = Array(name.utf8)
    #expect(hostile.utf8.count == old.count)
    var count = 0
    for start in 0...(bytes.count - old.count)
    where bytes[start..<start + old.count].elementsEqual(old) {
      bytes.replaceSubrange(start..<start + old.count, with: Array(hostile.utf8))
      count += 1
    }
    #expect(count > 0)
    let report = try AuditReport(
      of: Interpreter(Model(bytes: bytes)), fileName: "<b>\u{1}\"&.tflite")
    #expect(!report.html.contains("<svg onload"))
    #expect(!report.html.contains("<b>"))
    #expect(report.html.contains("&lt;b&gt;\u{FFFD}&quot;&amp;.tflite"))
    #expect(report.html.contains("&lt;/script&gt;&lt;svg onload=a()&gt;"))
  }

  @Test("the document inside the page is the report's")
  func document() throws {
    let report = try AuditedModels.digitReport()
    let start = try #require(report.html.range(of: "id=\"report-data\">"))
    let rest = report.html[start.upperBound...]
    let text = rest[..<(try #require(rest.range(of: "</script>")).lowerBound)]
    let document = try JSON(parsing: Array(text.utf8))
    #expect(document["schema"] == "martlet/report/1")
    #expect(document["layers"]?.array?.count == 17)
    #expect(document["picture"]?["answer"]?.array?.first?["labels"]?.array?.first?["label"] == "3")
  }
}
