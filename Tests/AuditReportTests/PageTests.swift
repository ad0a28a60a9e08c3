// SPDX-License-Identifier: Apache-2.0

import AuditReports
import FileAccess
import Foundation
import JSONDocuments
import Martlet
import PageMarkup
import Testing

/// Audit pages.
@Suite struct PageTests {
  @Test func `the same model and input give the same bytes`() throws {
    #expect(try AuditedModels.digitReport().html == AuditedModels.digitReport().html)
  }

  @Test func `long names break, and labels stay inside their image`() throws {
    let page = try AuditedModels.digitReport().html
    #expect(
      page.contains("h2, h3, p, li, caption, figcaption, summary { overflow-wrap: anywhere; }"))
    #expect(page.contains("@media (max-width: 32rem)"))
    for (x, width, left) in [(10.0, 66.0, 10.0), (180, 66, 126), (-5, 66, 0), (30, 300, 0)] {
      #expect(LabelPlacement.left(x, width: width, within: 192) == left)
    }
  }

  @Test func `the page refers to nothing outside itself`() throws {
    let page = try AuditedModels.digitReport().html
    for attribute in ["src=\"", "href=\"", "url(", "@import", "action=\""] {
      for part in page.components(separatedBy: attribute).dropFirst() {
        #expect(
          part.hasPrefix("#") || part.hasPrefix("data:image/png;base64,"), "\(part.prefix(60))")
      }
    }
    #expect(page.contains("default-src 'none'"))
  }

  @Test func `every element that begins ends, in order, and every link of the page has its target`()
    throws
  {
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

  @Test func `every image and drawing has a text for those who do not see it`() throws {
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

  @Test func `text has a contrast of at least 4.5 to 1 to what lies behind it, light or dark`()
    throws
  {
    let page = try AuditedModels.digitReport().html
    let schemes = page.components(separatedBy: "prefers-color-scheme: dark")
    #expect(schemes.count >= 2)
    for scheme in schemes.prefix(2) {
      var colors: [String: Double] = [:]
      for match in scheme.matches(of: /--([a-z-]+): #([0-9a-f]{6})/)
      where colors[String(match.output.1)] == nil {
        colors[String(match.output.1)] = Self.luminance(of: String(match.output.2))
      }
      for text in ["ink", "muted", "accent", "good", "warn", "bad"] {
        for ground in ["paper", "panel"] {
          let (first, second) = (try #require(colors[text]), try #require(colors[ground]))
          let ratio = (max(first, second) + 0.05) / (min(first, second) + 0.05)
          #expect(ratio >= 4.5, "\(text) on \(ground): \(ratio)")
        }
      }
    }
  }

  /// The relative luminance of a color of six hexadecimal digits (WCAG 2.2).
  private static func luminance(of digits: String) -> Double {
    let bits = Int(digits, radix: 16) ?? 0
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(bits >> shift & 0xFF) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  @Test func `names from a model cannot become markup`() throws {
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

  @Test func `the document inside the page is the report's`() throws {
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
