// SPDX-License-Identifier: Apache-2.0

package import Compression
package import ResourceLimits

/// The files that are packed into a model as a zip archive behind the FlatBuffer.
package struct AssociatedFiles: Sendable {
  private let archive: ZipArchive?

  /// The files in `bytes`, the whole contents of a model file; none if no archive follows.
  package init(in bytes: Span<UInt8>, limits: Limits = Limits()) throws(ZipError) {
    do {
      archive = try ZipArchive(bytes, limits: limits)
    } catch .missingEndRecord {
      archive = nil
    }
  }

  /// Where the archive begins in the bytes; nil where there is none.
  package var start: Int? { archive?.start }

  /// The entries, in the archive's order.
  package var entries: [ZipArchive.Entry] { archive?.entries ?? [] }

  /// The names of the files, in the archive's order.
  package var names: [String] { entries.map(\.name) }

  /// The contents of the file called `name` within `bytes`, the same as at creation; at most
  /// `limit` bytes, where that is less than the limit for each file.
  package func contents(
    of name: String, in bytes: Span<UInt8>, limit: Int = .max
  ) throws(ZipError) -> [UInt8] {
    guard let archive else { throw .noSuchEntry(name: name) }
    return try archive.contents(of: name, in: bytes, limit: limit)
  }
}
