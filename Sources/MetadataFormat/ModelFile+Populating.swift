// SPDX-License-Identifier: Apache-2.0

import Compression
import FlatBuffers
package import ModelFormat
package import ResourceLimits

/// A file that is packed into a model, with its contents.
public struct AssociatedFileContents: Sendable, Equatable {
  /// The name under which it is packed, as the metadata mentions it.
  public var name: String
  /// The bytes of the file.
  public var contents: [UInt8]

  /// A file of this name.
  public init(name: String, contents: [UInt8]) {
    self.name = name
    self.contents = contents
  }
}

extension ModelFile {
  /// The associated files in `file`, the whole contents of a model file, each name once.
  ///
  /// Folders of the archive are left out; of entries with the same name, the last one counts.
  ///
  /// - Throws: `MetadataError.files` where the archive is damaged or too large.
  package static func associatedFiles(
    in file: Span<UInt8>, limits: Limits = Limits()
  ) throws(MetadataError) -> [AssociatedFileContents] {
    do throws(ZipError) {
      let archive = try AssociatedFiles(in: file, limits: limits)
      var files: [AssociatedFileContents] = []
      var names: Set<String> = []
      var bytesLeft = limits.archiveByteCount
      for name in archive.names where !name.hasSuffix("/") && names.insert(name).inserted {
        let contents = try archive.contents(of: name, in: file, limit: bytesLeft)
        bytesLeft -= contents.count
        files.append(AssociatedFileContents(name: name, contents: contents))
      }
      return files
    } catch {
      throw .files("\(error)")
    }
  }

  /// The model in `file`, the whole contents of a model file, with other metadata.
  ///
  /// All else that the file says is kept, also what is not known here. Without metadata and files,
  /// what `populated` added to a file is gone again, to the byte.
  ///
  /// - Parameters:
  ///   - file: the contents of a model file.
  ///   - metadata: what the model says about itself; nil for nothing.
  ///   - files: all files that the model carries from now on.
  ///   - limits: what both files may take.
  /// - Returns: the contents of a model file that has been read again and found to be the same
  ///   model with this metadata and these files.
  /// - Throws: `MetadataError`.
  package static func populated(
    _ file: Span<UInt8>, metadata: ModelMetadata?, files: [AssociatedFileContents],
    limits: Limits = Limits()
  ) throws(MetadataError) -> [UInt8] {
    try check(files, against: metadata)
    var bare = try BareModel(of: file, limits: limits)
    let metadataBytes = try metadata?.serialized()
    do {
      if let metadataBytes { try bare.describe(by: metadataBytes) }
    } catch {
      throw .notPreserved("\(error)")
    }
    do throws(ZipError) { try bare.pack(files) } catch { throw .files("\(error)") }
    try verify(bare.bytes.span, is: file, metadataBytes, files, limits)
    return bare.bytes
  }

  private static func check(
    _ files: [AssociatedFileContents], against metadata: ModelMetadata?
  ) throws(MetadataError) {
    var names: Set<String> = []
    for file in files {
      guard file.name.isSafePath else { throw .unsafeName(file.name) }
      guard names.insert(file.name).inserted else { throw .duplicateName(file.name) }
    }
    for case let name? in metadata?.allAssociatedFiles.map(\.name) ?? [] {
      guard names.contains(name) else { throw .missingFile(name) }
    }
  }

  /// Throws unless `copy` is the model in `file` with this metadata and these files.
  private static func verify(
    _ copy: Span<UInt8>, is file: Span<UInt8>, _ metadata: [UInt8]?,
    _ files: [AssociatedFileContents], _ limits: Limits
  ) throws(MetadataError) {
    let difference: String?
    do throws(ModelError) {
      let old = try ModelFile(parsing: file, limits: limits)
      let new = try ModelFile(parsing: copy, limits: limits)
      let range = try new.metadataRange(named: ModelMetadata.entryName)
      difference =
        old.firstDifference(from: new, file, copy)
        ?? (range.map { copy.extracting($0).copy } == metadata ? nil : "its metadata")
    } catch {
      throw .model(error)
    }
    if let difference { throw .notPreserved(difference) }
    guard try associatedFiles(in: copy, limits: limits) == files else {
      throw .notPreserved("its files")
    }
  }
}
