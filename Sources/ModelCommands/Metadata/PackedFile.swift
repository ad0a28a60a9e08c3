// SPDX-License-Identifier: Apache-2.0

import Compression
import Martlet
import ModelFormat
import VisionTasks

/// A file that is packed into a model.
struct PackedFile {
  let name: String
  let byteCount: Int
  /// The lines of a file that metadata calls labels; nil for other files.
  let lines: [String]?

  /// Larger label files are not read.
  private static let labelByteLimit = 1 << 24

  /// The files in the archive behind a model, in order.
  static func files(of model: Model, _ metadata: ModelMetadata?) throws(ZipError) -> [PackedFile] {
    let storage = model.storage
    let bytes = storage.bytes
    let archive = try AssociatedFiles(in: bytes, limits: model.limits)
    let labels = labelFiles(metadata)
    var files: [PackedFile] = []
    for entry in archive.entries {
      var lines: [String]?
      if labels.contains(entry.name), entry.byteCount <= labelByteLimit {
        lines = LabelMap.lines(of: try archive.contents(of: entry.name, in: bytes))
      }
      files.append(PackedFile(name: entry.name, byteCount: entry.byteCount, lines: lines))
    }
    return files
  }

  /// The names of files with a label on each line.
  private static func labelFiles(_ metadata: ModelMetadata?) -> Set<String> {
    Set(
      (metadata?.allAssociatedFiles ?? []).filter {
        $0.kind == .tensorAxisLabels || $0.kind == .tensorValueLabels
      }
      .compactMap(\.name))
  }
}
