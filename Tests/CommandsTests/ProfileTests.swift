// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import JSONDocuments
import TestSupport
import Testing

/// Martlet bench --profile.
@Suite struct ProfileTests {
  private static let digits = Goldens.folder + "/../../Models/digits/digits_int8.tflite"
  private static let loop = Goldens.path("WHILE/i32_rounds_7") + "/model.tflite"

  private func document(_ line: String) throws -> JSON {
    let console = CapturedConsole()
    #expect(console.run("bench \(line) --json") == 0)
    #expect(console.errors == "")
    return try JSON(parsing: console.output)
  }

  @Test func `the document has costs, rates and the limits that they are compared with`() throws {
    let document = try document("\(Self.digits) --runs 5 --profile")
    let limits = try #require(document["limits"])
    for key in ["float_gmac_per_s", "int8_gmac_per_s"] {
      #expect(try #require(limits[key]?.number, "\(key)") > 0)
    }
    #expect(limits["threads"] == 1)
    #expect(document["profile_runs"] == 5)
    let operators = try #require(document["profile_operators"]?.array)
    let nodes = try #require(document["profile"]?.array)
    // Counted in the file's shapes by another reader, in Python.
    #expect(operators.compactMap { $0["macs"]?.integer }.reduce(0, +) == 715_328)
    #expect(nodes.compactMap { $0["macs"]?.integer }.reduce(0, +) == 715_328)
    let first = try #require(nodes.first)
    #expect(first["operator"]?.string?.hasPrefix("CONV_2D") == true)
    #expect(first["macs"] == 165_888)
    #expect(first["bytes_constant"] == 744)
    #expect(first["inputs"]?.array?.first == "INT8 1x32x32x3")
    for key in ["gmac_per_s", "gb_per_s", "limit_percent", "own_ms", "share_percent"] {
      #expect(try #require(first[key]?.number, "\(key)") > 0)
    }
    #expect(["int8", "memory"].contains(first["limited_by"]?.string))
    let shares = nodes.compactMap { $0["share_percent"]?.number }.reduce(0, +)
    #expect(abs(shares - 100) < 0.01)
    let times = operators.compactMap { $0["own_ms"]?.number }
    #expect(times == times.sorted(by: >))
  }

  @Test func `inspect counts the same multiply-adds`() throws {
    let console = CapturedConsole()
    #expect(console.run("inspect \(Self.digits) --json") == 0)
    #expect(try JSON(parsing: console.output)["macs"] == 715_328)
  }

  @Test func `the time of a loop is told apart from that of its body`() throws {
    let nodes = try #require(
      try document("\(Self.loop) --runs 5 --profile --fill zeros")["profile"]?.array)
    #expect(nodes.map { $0["operator"]?.string } == ["WHILE", "LESS", "ADD", "ADD"])
    #expect(nodes.map { $0["subgraph"]?.integer } == [0, 1, 2, 2])
    // Seven rounds, and the condition once more.
    #expect(nodes.map { $0["evaluations"]?.integer } == [5, 40, 35, 35])
    let whole = try #require(nodes[0]["ms"]?.number)
    let own = try #require(nodes[0]["own_ms"]?.number)
    #expect(own >= 0 && own <= whole)
    #expect(nodes[0]["macs"] == nil)
  }

  @Test func `the text has aligned columns and a line for the sum`() throws {
    let console = CapturedConsole()
    #expect(console.run("bench \(Self.digits) --runs 3 --profile --top 2") == 0)
    #expect(console.text.contains("\nprofile: medians of 3 further runs"))
    #expect(console.text.contains("\nlimits measured here, "))
    #expect(console.text.contains("; --top all lists all\n"))
    let lines = console.text.split(separator: "\n").map(Array.init)
    let headings = lines.indices.filter { String(lines[$0]).hasPrefix("operator ") }
    let sums = lines.indices.filter { String(lines[$0]).hasPrefix("all ") }
    try #require(headings.count == 2 && sums.count == 2)
    let columns = [[" count ", " %"], [" GMAC/s ", " GB/s ", " % of "]]
    for ((heading, sum), names) in zip(zip(headings, sums), columns) {
      for name in names {
        // Numbers end where their heading does, and a blank follows.
        let location = try #require(String(lines[heading]).firstRange(of: name)?.upperBound)
        let end = String(lines[heading])[..<location].count - (name.hasSuffix(" ") ? 2 : 1)
        for line in lines[heading + 1...sum] where line.count > end + 1 {
          #expect(line[end + 1] == " ", "\(String(line))")
        }
      }
    }
    #expect(String(lines[sums[0]]).hasSuffix(" 100.0"))
    #expect(String(lines[sums[1]]).contains(" 715.33  "))
    let nodes = try #require(lines.firstIndex { String($0).hasPrefix("node  inputs → outputs") })
    #expect(lines.count >= nodes + 3 && lines.allSatisfy { $0.count <= 60 || $0.contains("/") })
  }

  @Test func `all nodes are listed in the order of the model`() throws {
    let console = CapturedConsole()
    #expect(
      console.run("bench \(Self.loop) --runs 2 --profile --top all --fill zeros") == 0)
    let names = console.text.split(separator: "\n").drop { !$0.hasPrefix("all in the order") }
      .compactMap { $0.split(separator: " ").first }
    let table = ["node", "0:0", "1:0", "2:0", "2:1"]
    let tables = [["all"], table, table, table].flatMap(\.self)
    #expect(names.map(String.init) == tables)
  }

  @Test(arguments: ["--top 3", "--profile --top 0", "--profile --top few", "--trace -"])
  func `options that make no sense are refused`(options: String) {
    let console = CapturedConsole()
    #expect(console.run("bench \(Self.digits) \(options)") == 64)
    #expect(console.text == "")
  }

  @Test func `a trace has a run's nodes inside of it, and those of a loop inside of the loop`()
    throws
  {
    let console = CapturedConsole()
    #expect(console.run("bench \(Self.loop) --runs 3 --trace DIR/trace.json --fill zeros") == 0)
    #expect(!console.text.contains("\nprofile: "))
    let trace = try JSON(parsing: try InputFile.bytes(at: console.folder + "/trace.json"))
    #expect(trace["displayTimeUnit"] == "ms")
    let events = try #require(trace["traceEvents"]?.array)
    #expect(events.prefix(2).allSatisfy { $0["ph"] == "M" })
    let timed = events.dropFirst(2)
    // Three runs of a loop with eight conditions and seven rounds of two nodes.
    #expect(timed.count == 3 * (1 + 1 + 8 + 14))
    var open: [(name: String, end: Double)] = []
    var last = -1.0
    var parents: Set<String> = []
    for event in timed {
      #expect(event["ph"] == "X" && event["pid"] == 1 && event["tid"] == 1)
      let start = try #require(event["ts"]?.number)
      let length = try #require(event["dur"]?.number)
      let name = try #require(event["name"]?.string)
      #expect(start >= last && length >= 0)
      last = start
      while let inner = open.last, inner.end <= start { open.removeLast() }
      if let outer = open.last { #expect(start + length <= outer.end + 1e-6) }
      parents.insert("\(open.last?.name ?? "") \(name)")
      open.append((name, start + length))
    }
    #expect(parents == [" inference", "inference WHILE", "WHILE LESS", "WHILE ADD"])
    let add = try #require(timed.first { $0["name"] == "ADD" }?["args"])
    #expect(add["operator"] == "ADD" && add["subgraph"] == 2)
    #expect(add["macs"] == 0 && add["element_operations"] == 1)
    #expect(add["inputs"] == ["INT32 1", "INT32 1"])
    #expect(add["kernel"]?.string?.isEmpty == false)
  }
}
