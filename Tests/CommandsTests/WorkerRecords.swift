// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import JSONDocuments
import Testing

/// Input and output of `martlet worker` in tests.
enum WorkerRecords {
  /// A record that names an image.
  static func image(_ id: JSON?, _ path: String) -> JSON {
    .record(["id": id, "path": .string(path)])
  }

  /// Records of the bundled digits, `count` of them in turn, with the numbers from 0 as their
  /// identifiers.
  static func digits(_ count: Int) throws -> [JSON] {
    try (0..<count).map { number in
      image(
        .integer(number),
        try BundledModels.path(of: BundledModels.digitSamples[number % 10]))
    }
  }

  /// One document on each line.
  static func lines(_ documents: [JSON]) -> [UInt8] {
    Array(documents.map { $0.compactText + "\n" }.joined().utf8)
  }
}

extension CapturedConsole {
  /// Runs `martlet worker` on these records.
  @discardableResult
  func work(_ options: String, _ records: [JSON]) -> Int32 {
    input = WorkerRecords.lines(records)
    return run("worker \(options)")
  }

  /// Runs `martlet worker` on these lines.
  @discardableResult
  func work(_ options: String, lines: [String]) -> Int32 {
    input = Array(lines.map { $0 + "\n" }.joined().utf8)
    return run("worker \(options)")
  }

  /// The documents on standard output.
  var answers: [JSON] {
    get throws {
      try text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    }
  }

  /// The codes of the errors on standard output, nil for answers without one.
  var codes: [String?] {
    get throws { try answers.map { $0["error"]?["code"]?.string } }
  }
}
