// SPDX-License-Identifier: Apache-2.0

/// Why data could not be compressed or expanded.
package enum CompressionError: Error, Hashable, Sendable {
  /// The compressed data breaks its format's rules, for the reason that zlib gives.
  case invalidData(String)
  /// The compressed data needs a dictionary, which none of Martlet's formats has.
  case needsDictionary
  /// The compressed data ends early.
  case truncated
  /// The compressed data expands to more bytes than allowed.
  case tooLarge(limit: Int)
  /// There is no memory for the state of a stream.
  case outOfMemory
}

extension CompressionError: CustomStringConvertible {
  /// What is wrong.
  package var description: String {
    switch self {
    case .invalidData(let reason): "invalid compressed data: \(reason)"
    case .needsDictionary: "the compressed data needs a dictionary"
    case .truncated: "the compressed data ends early"
    case .tooLarge(let limit): "the compressed data expands to more than \(limit) bytes"
    case .outOfMemory: "no memory to expand compressed data"
    }
  }
}

/// What surrounds deflated data.
package enum DeflateFormat: Sendable {
  /// Nothing, as in zip archives.
  case raw
  /// A two-byte header and an Adler-32 checksum, as in PNG.
  case zlib

  /// zlib's number for the format, with the largest window.
  var windowBits: Int32 {
    switch self {
    case .raw: -15
    case .zlib: 15
    }
  }
}
