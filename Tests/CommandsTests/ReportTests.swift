// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import Foundation
import JSONDocuments
import TestSupport
import Testing

/// Martlet report.
@Suite struct ReportTests {
  @Test func `without arguments, the bundled model gets a bundled image`() throws {
    let console = CapturedConsole()
    #expect(console.run("report -o DIR/report.html") == 0)
    #expect(console.text.contains("report.html\n  17 nodes, 0 errors"))
    let page = try InputFile.bytes(at: console.folder + "/report.html")
    #expect(page.starts(with: Array("<!DOCTYPE html>".utf8)))
    #expect(String(decoding: page, as: UTF8.self).contains("digit_3.png"))
  }

  @Test func `the page on standard output is the page in a file`() throws {
    let console = CapturedConsole()
    #expect(console.run("report \(Goldens.add)/model.tflite -o DIR/report.html") == 0)
    let printed = CapturedConsole()
    #expect(printed.run("report \(Goldens.add)/model.tflite -o -") == 0)
    #expect(printed.output == (try InputFile.bytes(at: console.folder + "/report.html")))
  }

  @Test func `side files are written where they are asked for`() throws {
    let console = CapturedConsole()
    let line =
      "report -o DIR/r.html --cyclonedx DIR/bom.json --sarif DIR/r.sarif --overlays DIR/overlays "
      + "--trace DIR/trace.json --json"
    #expect(console.run(line) == 0)
    #expect(try JSON(parsing: console.output)["schema"] == "martlet/report/1")
    func document(_ name: String) throws -> JSON {
      try JSON(parsing: InputFile.bytes(at: console.folder + "/" + name))
    }
    #expect(try document("bom.json")["bomFormat"] == "CycloneDX")
    #expect(try document("r.sarif")["version"] == "2.1.0")
    #expect(try document("trace.json")["traceEvents"]?.array?.count == 17)
    #expect(try document("overlays/model_explorer_macs.json")["main"] != nil)
    #expect(try document("overlays/model_explorer_ms.json")["main"] != nil)
  }

  @Test func `the command in the page is the one that makes it, without where it goes`() throws {
    let console = CapturedConsole()
    #expect(
      console.run("report \(Goldens.add)/model.tflite --seed 7 -o DIR/r.html --threads 2 --json")
        == 0)
    #expect(
      try JSON(parsing: console.output)["model"]?["command"]
        == .string("martlet report \(Goldens.add)/model.tflite --seed 7 --threads 2"))
  }

  @Test(arguments: [
    ("report --image x.png --fill zeros", 64, "--image beside --fill"),
    ("report --image x.png --input y.npy", 64, "--image beside --input"),
    ("report -o - --json", 64, "--json beside"),
    ("report DIR/none.tflite", 66, "none.tflite"),
    ("report --image DIR/none.png", 66, "none.png"),
    ("report \(Goldens.add)/model.tflite --image SAMPLE", 65, "single input"),
    ("report --top 0", 64, "'0' for '--top'"),
  ])
  func `what cannot be done is one line, and no page is written`(
    line: String, code: Int32, words: String
  ) throws {
    let sample = Goldens.folder + "/../../Models/digits/samples/digit_1.png"
    let console = CapturedConsole()
    let page = console.folder + "/report.html"
    let output = line.contains("-o ") ? "" : " -o \(page)"
    #expect(console.run(line.replacing("SAMPLE", with: sample) + output) == code)
    #expect(console.errors.contains(words), "\(console.errors)")
    #expect(!FileManager.default.fileExists(atPath: page))
  }

  @Test(
    arguments: [
      ("0", "1970-01-01T00:00:00Z"), ("951782400", "2000-02-29T00:00:00Z"),
      ("1795359845", "2026-11-22T15:04:05Z"), ("253402300799", "9999-12-31T23:59:59Z"),
      ("-1", nil), ("", nil), ("x", nil), ("99999999999999999999", nil),
    ] as [(String, String?)])
  func `dates of the seconds since 1970`(seconds: String, date: String?) {
    #expect(SourceDate(seconds)?.text == date)
  }

  @Test func `the date of the environment is shown`() throws {
    let console = CapturedConsole()
    console.variables["SOURCE_DATE_EPOCH"] = "0"
    #expect(console.run("report \(Goldens.add)/model.tflite -o - ") == 0)
    #expect(console.text.contains("1970-01-01T00:00:00Z"))
  }
}
