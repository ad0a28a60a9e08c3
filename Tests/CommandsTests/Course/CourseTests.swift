// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The course.
@Suite struct CourseTests {
  @Test(arguments: CourseChapter.all)
  func `every command prints what its chapter shows`(chapter: CourseChapter) throws {
    let shell = CourseShell()
    for block in chapter.blocks where block.kind.hasPrefix("console") {
      let session = CourseSession(block)
      #expect(!session.commands.isEmpty, "\(chapter.name):\(block.line): no command")
      for command in session.commands {
        let location = "\(chapter.name):\(command.location)"
        let real = try #require(try shell.run(command.line), "\(location): no command of a chapter")
        #expect(
          CourseSession.matches(command.shown, real, isTiming: session.isTiming),
          "\(location): \(command.line) prints\n\(real.joined(separator: "\n"))")
      }
    }
  }

  @Test func `every chapter has commands, and the landing page names every chapter`() throws {
    let landing = try #require(CourseChapter.all.first { $0.name == "Guide.md" })
    let text = try String(contentsOfFile: "\(CourseChapter.folder)/Guide.md", encoding: .utf8)
    let chapters = CourseChapter.all.filter { $0.name != landing.name }
    #expect(chapters.count == 7)
    for chapter in chapters {
      let name = chapter.name.dropLast(".md".count)
      #expect(text.contains("<doc:\(name)>"))
      #expect(text.contains("](\(chapter.name))"))
      #expect(chapter.blocks.contains { $0.kind.hasPrefix("console") })
    }
  }

  @Test func `the code of every chapter is compiled`() throws {
    let sources = try Self.compiledSources()
    for chapter in CourseChapter.all {
      for block in chapter.blocks where block.kind == "swift" {
        let text = Self.unindented(block.lines)
        #expect(
          sources.contains { $0.contains(text) },
          "\(chapter.name):\(block.line): this code is in no compiled file")
      }
    }
  }

  @Test(arguments: CourseProgram.all)
  func `programs print what their chapter shows`(program: CourseProgram) throws {
    let chapter = try #require(CourseChapter.all.first { $0.name == program.chapter })
    let pairs = zip(chapter.blocks, chapter.blocks.dropFirst())
      .filter { $0.kind == "swift" && $1.kind == "text" }
    try #require(pairs.indices.contains(program.position))
    var printed: [String] = []
    program.run { printed += $0.split(separator: "\n").map(String.init) }
    #expect(printed == pairs[program.position].1.lines)
  }

  @Test func `each program of a chapter is run`() {
    for chapter in CourseChapter.all {
      let shown = zip(chapter.blocks, chapter.blocks.dropFirst())
        .count { $0.kind == "swift" && $1.kind == "text" }
      #expect(CourseProgram.all.count { $0.chapter == chapter.name } == shown, "\(chapter.name)")
    }
  }

  @Test(arguments: [
    (["a", "b"], ["a", "b"], true), (["a"], ["a", "b"], false), (["a", "…"], ["a", "b"], true),
    (["…", "b"], ["a", "b"], true), (["a", "…", "d"], ["a", "b", "c", "d"], true),
    (["a", "…", "c", "…"], ["a", "b", "d"], false), (["a", "…", "a"], ["a"], false),
    (["abc…"], ["abcdef"], true), (["abc…"], ["abdef"], false), (["1.5  ms"], ["1.6 ms"], false),
    (["a  "], ["a"], true), (["…", "b", "…", "b"], ["a", "b"], false),
  ])
  func `shown lines are compared with real ones`(shown: [String], real: [String], agrees: Bool) {
    #expect(CourseSession.matches(shown, real) == agrees)
  }

  @Test func `of timings, only the words are compared`() {
    #expect(CourseSession.matches(["min  1.5  ms"], ["min 12.25 ms"], isTiming: true))
    #expect(!CourseSession.matches(["min  1.5  ms"], ["max 1.5 ms"], isTiming: true))
  }

  /// The files that code of the chapters may be found in, without indentation.
  private static func compiledSources() throws -> [String] {
    var sources: [String] = []
    for folder in ["Tests/CommandsTests/Course", "Examples", "Sources"] {
      let path = "\(CourseChapter.root)/\(folder)"
      guard let names = FileManager.default.enumerator(atPath: path) else { continue }
      for case let name as String in names where name.hasSuffix(".swift") {
        let text = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
        sources.append(unindented(text.split(separator: "\n").map(String.init)))
      }
    }
    return sources
  }

  /// Lines without indentation and without empty ones between them.
  private static func unindented(_ lines: [String]) -> String {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }
}
