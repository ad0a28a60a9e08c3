// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

extension ModelFile {
  /// The model's metadata, decoded from `bytes`, the contents of the file.
  ///
  /// - Returns: Nil if the model has none.
  /// - Throws: `ModelError` if the metadata is malformed, which need not keep the model from
  ///   running.
  package func modelMetadata(in bytes: Span<UInt8>) throws(ModelError) -> ModelMetadata? {
    let name = ModelMetadata.entryName
    guard let range = try metadataRange(named: name) else { return nil }
    guard range.upperBound <= bytes.count else {
      throw ModelError(.invalid("the file has changed"), path: [.metadata(name: name)])
    }
    do {
      return try ModelMetadata(parsing: bytes.extracting(range))
    } catch {
      throw ModelError(.malformed(error), path: [.metadata(name: name)])
    }
  }
}
