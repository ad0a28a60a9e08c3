// SPDX-License-Identifier: Apache-2.0

/// Why bytes could not be read or written as a zip archive.
package enum ZipError: Error, Hashable, Sendable {
  /// The bytes do not end with the record that every archive ends with.
  case missingEndRecord
  /// The archive has several parts, of which this is one.
  case multipleDisks
  /// The archive needs the 64-bit extension.
  case zip64
  /// A header is missing or cut off at the byte offset.
  case malformed(offset: Int)
  /// The archive has more entries than allowed.
  case tooManyEntries(limit: Int)
  /// Two entries use the same bytes of the archive.
  case overlappingEntries(name: String)
  /// The archive has no entry of this name.
  case noSuchEntry(name: String)
  /// The entry is encrypted.
  case encrypted(name: String)
  /// The entry is compressed by a method other than deflate.
  case unsupportedMethod(Int, name: String)
  /// The entry is larger than allowed.
  case tooLarge(name: String, limit: Int)
  /// The entry expands to more than so many times its stored size.
  case expandsTooMuch(name: String, ratio: Int)
  /// The entry's contents do not have the size that the archive says.
  case wrongSize(name: String)
  /// The entry's contents do not have the checksum that the archive says.
  case wrongChecksum(name: String)
  /// The entry's compressed contents cannot be expanded.
  case compression(CompressionError, name: String)
}

extension ZipError: CustomStringConvertible {
  /// What is wrong.
  package var description: String {
    switch self {
    case .missingEndRecord: "not a zip archive, or cut off"
    case .multipleDisks: "the zip archive has several parts"
    case .zip64: "the zip archive needs the 64-bit extension, which is not supported"
    case .malformed(let offset): "malformed zip archive at byte \(offset)"
    case .tooManyEntries(let limit): "the zip archive has more than \(limit) entries"
    case .overlappingEntries(let name): "zip entry \(quoted(name)) overlaps another"
    case .noSuchEntry(let name): "the zip archive has no entry \(quoted(name))"
    case .encrypted(let name): "zip entry \(quoted(name)) is encrypted"
    case .unsupportedMethod(let method, let name):
      "zip entry \(quoted(name)) is compressed by unknown method \(method)"
    case .tooLarge(let name, let limit):
      "zip entry \(quoted(name)) is larger than \(limit) bytes"
    case .expandsTooMuch(let name, let ratio):
      "zip entry \(quoted(name)) expands to more than \(ratio) times its stored size"
    case .wrongSize(let name): "zip entry \(quoted(name)) has another size than stated"
    case .wrongChecksum(let name): "zip entry \(quoted(name)) has a wrong checksum"
    case .compression(let error, let name): "zip entry \(quoted(name)): \(error)"
    }
  }

  /// A name from the archive, cut and escaped, fit for one line of output.
  private func quoted(_ name: String) -> String {
    name.count > 80 ? "\(name.prefix(80).debugDescription)…" : name.debugDescription
  }
}
