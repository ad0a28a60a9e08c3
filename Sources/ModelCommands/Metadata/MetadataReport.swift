// SPDX-License-Identifier: Apache-2.0

import Compression
import JSONDocuments
import Martlet
import MetadataDocuments
import ModelFormat

/// What a model says about itself, and the files that it carries.
struct MetadataReport {
  /// A named buffer that holds anything else.
  struct Entry {
    let name: String
    let buffer: Int
    /// The size of the contents; nil where the buffer does not exist.
    let byteCount: Int?
    /// The contents, where they are short and printable.
    let text: String?
  }

  let metadata: ModelMetadata?
  /// Why the metadata or the files cannot be read, which keeps nothing from running.
  let problem: String?
  /// The files that are packed into the model.
  let files: [PackedFile]
  /// The named buffers besides the metadata.
  let entries: [Entry]

  init(_ model: Model) {
    var metadata: ModelMetadata?
    var problem: String?
    do throws(ModelError) { metadata = try model.metadata() } catch { problem = error.description }
    var files: [PackedFile] = []
    do throws(ZipError) { files = try PackedFile.files(of: model, metadata) } catch {
      problem = problem ?? error.description
    }
    self.metadata = metadata
    self.problem = problem
    self.files = files
    entries = model.file.otherEntries.map { Entry($0, of: model) }
  }

  /// The members of a document that describe metadata and files.
  var members: JSON {
    .record([
      "metadata": metadata?.json ?? .null,
      "metadata_error": problem.map { .string($0) },
      "files": .array(
        files.map { file in
          .record([
            "name": .string(file.name), "bytes": .integer(file.byteCount),
            "lines": file.lines.map { .array($0.map { .string($0) }) },
          ])
        }),
    ])
  }

  /// The document about the model in the file at `path`.
  func document(path: String, output: String? = nil) -> JSON {
    JSON.record([
      "schema": .string(ModelMetadata.jsonSchema), "model": .string(path),
      "output": output.map { .string($0) },
    ]).adding(members).adding([
      "entries": .array(
        entries.map { entry in
          .record([
            "name": .string(entry.name), "buffer": .integer(entry.buffer),
            "bytes": entry.byteCount.map { .integer($0) }, "text": entry.text.map { .string($0) },
          ])
        })
    ])
  }
}

extension MetadataReport.Entry {
  /// The most bytes that are shown as text.
  private static let textLimit = 64

  fileprivate init(_ entry: ModelFile.MetadataEntry, of model: Model) {
    name = entry.name
    buffer = entry.buffer
    guard model.file.buffers.indices.contains(entry.buffer) else {
      byteCount = nil
      text = nil
      return
    }
    let range = model.file.buffers[entry.buffer]
    byteCount = range.count
    let storage = model.storage
    var content: [UInt8] = []
    for position in range.prefix(Self.textLimit + 1) { content.append(storage.bytes[position]) }
    // Versions are filled up with zeros.
    while content.last == 0 { content.removeLast() }
    let isText =
      !content.isEmpty && range.count <= Self.textLimit
      && content.allSatisfy { (0x20...0x7E).contains($0) }
    text = isText ? String(decoding: content, as: UTF8.self) : nil
  }
}
