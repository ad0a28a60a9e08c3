// SPDX-License-Identifier: Apache-2.0

import FileAccess
import JSONDocuments
import Synchronization

/// The records that an earlier run has answered.
///
/// Every answer in its output stands for one record: where several records have the same
/// identifier, as many of them are passed over as there are answers.
final class EarlierOutput: Sendable {
  /// How many answers there are for each identifier, as it is written.
  private let counts: Mutex<[String: Int]>
  /// The most bytes of an answer that is read: those that any file may have.
  private static let lineLimit = InputFile.byteLimit
  /// The answers in the file at `path`; a last line without an end is none.
  ///
  /// - Throws: `CommandError` where the file cannot be read or a line of it is no answer.
  init(path: String) throws(CommandError) {
    var counts: [String: Int] = [:]
    var unknown: Int?
    do throws(FileSystemError) {
      let file = try OpenFile(path: path)
      var reader = LineReader(limit: Self.lineLimit) { count throws(FileSystemError) in
        try file.next(count)
      }
      while let line = try reader.next(), line.isEnded {
        guard !line.isBlank else { continue }
        guard let id = Self.identifier(line) else {
          unknown = line.number
          break
        }
        counts[id, default: 0] += 1
      }
    } catch {
      throw .file(error)
    }
    if let unknown {
      throw .data(
        "line \(unknown) is no answer of a worker: no JSON document with an 'id'", location: path)
    }
    self.counts = Mutex(counts)
  }

  /// The identifier that an answer repeats, as it is written.
  private static func identifier(_ line: LineReader.Line) -> String? {
    guard let bytes = line.bytes, let document = try? JSON(parsing: bytes) else { return nil }
    return WorkerRecord.identifier(of: document)?.compactText
  }

  /// Whether there are answers whose records were not met yet.
  var hasAnswers: Bool { counts.withLock { !$0.isEmpty } }

  /// Whether there is an answer for the record; the next one that is called so needs another.
  func takeAnswer(to id: JSON) -> Bool {
    let key = id.compactText
    return counts.withLock { counts in
      guard let count = counts[key] else { return false }
      counts[key] = count > 1 ? count - 1 : nil
      return true
    }
  }
}
