// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
package import Martlet
package import ResourceLimits

extension Model {
  /// The model in the file at `path`, which may lie in a zip archive.
  ///
  /// - Throws: `GoldenError` where the file cannot be read, is no valid model, or goes beyond
  ///   `limits`.
  package static func ofGoldens(
    at path: String, limits: Limits = Limits()
  ) throws(GoldenError) -> Model {
    var archived: [UInt8]?
    if InputFile.isArchived(path) {
      do throws(FileSystemError) {
        archived = try InputFile.bytes(at: path, limit: limits.fileByteCount)
      } catch {
        throw .file(error)
      }
    }
    do throws(InferenceError) {
      guard let archived else { return try Model(path: path, limits: limits) }
      return try Model(bytes: archived, limits: limits)
    } catch {
      throw .inference(error)
    }
  }
}
