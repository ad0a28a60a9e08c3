// SPDX-License-Identifier: Apache-2.0

import FileAccess
import ImageCodecs
package import Npy
import Tensors

/// What an input file holds.
package enum InputFileContent {
  /// An npy file's array.
  case array(NpyArray)
  /// An npz file's arrays by name.
  case archive([(name: String, array: NpyArray)])
  /// An image file, not yet decoded.
  case image([UInt8])
  /// Bytes as the tensor stores them.
  case raw([UInt8])

  /// The content of `bytes`, judged by how they begin; raw bytes by the file's name alone.
  package init(_ bytes: [UInt8], path: String) throws(CommandError) {
    let name = path.lowercased()
    if name.hasSuffix(".raw") || name.hasSuffix(".bin") {
      self = .raw(bytes)
      return
    }
    do throws(NpyError) {
      if bytes.starts(with: "PK".utf8) || name.hasSuffix(".npz") {
        self = .archive(try NpzArchive(parsing: bytes).arrays)
      } else if Self.isImage(bytes, name: name) {
        self = .image(bytes)
      } else {
        self = .array(try NpyArray(parsing: bytes.span))
      }
    } catch {
      throw .npy(error, file: path)
    }
  }

  /// The content of the regular file at `path`, read on any thread.
  package init(contentsOf path: String) throws(CommandError) {
    let bytes: [UInt8]
    do throws(FileSystemError) { bytes = try InputFile.bytes(ofRegularFile: path) } catch {
      throw .file(error)
    }
    try self.init(bytes, path: path)
  }

  /// Whether a file begins as an image does, or at least has the name of one.
  private static func isImage(_ bytes: [UInt8], name: String) -> Bool {
    ImageFormat(of: bytes.span) != nil
      || ImageFiles.extensions.contains { name.hasSuffix("." + $0) }
  }
}
