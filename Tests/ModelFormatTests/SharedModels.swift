// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Published models that lie outside the package, named by an environment variable.
enum SharedModels {
  /// The folder, or nil where it is absent.
  static let folder = PublishedModels.folder.map { URL(fileURLWithPath: $0) }

  /// A line of a manifest, by column name.
  struct Entry: CustomTestStringConvertible, Sendable {
    let path: String
    let columns: [String: String]
    var testDescription: String { path }

    subscript(_ column: String) -> String { columns[column] ?? "" }

    func bytes() throws -> [UInt8] { try SharedModels.bytes(path) }
  }

  /// The models that the manifests list.
  static let entries: [Entry] = ["nets", "fixtures"].flatMap { group -> [Entry] in
    guard let url = folder?.appendingPathComponent("\(group)/MANIFEST.tsv"),
      let text = try? String(contentsOf: url, encoding: .utf8)
    else { return [] }
    let lines = text.split(whereSeparator: \.isNewline).map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let names = lines.first else { return [] }
    return lines.dropFirst().map { cells in
      let columns = Dictionary(zip(names, cells)) { first, _ in first }
      return Entry(path: "\(group)/\(columns["name"] ?? "")/model.tflite", columns: columns)
    }
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let folder else { return [] }
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
  }
}
