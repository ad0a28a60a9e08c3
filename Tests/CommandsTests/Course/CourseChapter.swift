// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A chapter of the course: its fenced blocks are what the tests check.
struct CourseChapter: CustomTestStringConvertible, Sendable {
  /// A fenced block.
  struct Block {
    /// What stands behind the opening fence, such as `console timing`.
    let kind: String
    /// The number of its first line in the file, from 1.
    let line: Int
    var lines: [String] = []
  }

  let name: String
  let blocks: [Block]

  var testDescription: String { name }

  /// The repository's root.
  static let root: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url = url.deletingLastPathComponent() }
    return url.path
  }()

  static let folder = root + "/Docs/Guide.docc"

  /// Every page of the course, in order of the names.
  static let all: [CourseChapter] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().compactMap { CourseChapter(file: $0) }
  }()

  init?(file: String) {
    let path = "\(Self.folder)/\(file)"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    self.init(name: file, text: text)
  }

  init(name: String, text: String) {
    self.name = name
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if !line.hasPrefix("```") {
        open?.lines.append(String(line))
      } else if let block = open {
        blocks.append(block)
        open = nil
      } else {
        open = Block(kind: String(line.dropFirst(3)), line: index + 2)
      }
    }
    self.blocks = blocks
  }
}
