// SPDX-License-Identifier: Apache-2.0

public import MetadataFormat
public import ModelFormat

extension Model {
  /// What the model says about itself; nil where it says nothing.
  ///
  /// - Throws: `ModelError` where the metadata is malformed, which keeps no model from running.
  public func metadata() throws(ModelError) -> ModelMetadata? {
    let storage = storage
    return try file.modelMetadata(in: storage.bytes)
  }

  /// The bytes of the metadata entry of this name; nil where there is none.
  ///
  /// - Throws: `ModelError` where its buffer is none of the file's.
  package func metadataEntry(named name: String) throws(ModelError) -> [UInt8]? {
    guard let range = try file.metadataRange(named: name) else { return nil }
    return TensorBytes(storage, offset: range.lowerBound, byteCount: range.count)?.array()
  }

  /// The files that are packed into the model, such as labels, each name once.
  ///
  /// Names are as stored and may hold anything: do not take them for paths.
  ///
  /// - Throws: `MetadataError.files` where the archive is damaged, or goes beyond the limits.
  public func associatedFiles() throws(MetadataError) -> [AssociatedFileContents] {
    let storage = storage
    return try ModelFile.associatedFiles(in: storage.bytes, limits: limits)
  }

  /// The contents of a file of the same model with other metadata.
  ///
  /// Everything else that the file says is kept, also what is not known here. What this added to a
  /// file is replaced, and without metadata and files gone to the byte, so that files do not grow.
  /// Metadata from elsewhere leaves zeros instead.
  ///
  /// - Parameters:
  ///   - metadata: what the model says about itself; nil for nothing.
  ///   - files: all files that are packed into the model; those that metadata names must be there.
  /// - Returns: the contents of a model file, which has been read again and compared.
  /// - Throws: `MetadataError` where a file's name is unsafe, missing or there twice, or where the
  ///   model cannot be kept as it is.
  public func bytes(
    with metadata: ModelMetadata?, files: [AssociatedFileContents] = []
  ) throws(MetadataError) -> [UInt8] {
    let storage = storage
    return try ModelFile.populated(storage.bytes, metadata: metadata, files: files, limits: limits)
  }
}
