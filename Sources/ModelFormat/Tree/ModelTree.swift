// SPDX-License-Identifier: Apache-2.0

import Compression
package import FlatBuffers
package import ResourceLimits

/// A model file as it lies there: its tables, vectors and texts, where each begins and how many
/// bytes it takes.
///
/// Nothing is checked but that it can be read. Where something cannot, the tree says so at that
/// location and goes on beside it; what several locations refer to is expanded at the first of
/// them.
package struct ModelTree: Sendable {
  /// The root table.
  package let root: Part
  /// The bytes of the file.
  package let byteCount: Int
  /// What the bytes are; the numbers sum to `byteCount`.
  package let usage: ByteUsage
  /// Whether there are more parts than the limit, and some are missing.
  package let isCut: Bool

  /// A table, vector, text or number.
  package struct Part: Sendable {
    /// The field's name in the schema; nil for elements of vectors and unknown fields.
    package let name: String?
    /// The field's slot in its table, or the element's index in its vector.
    package let position: Int
    /// What it is, in the schema's words.
    package let type: String
    /// The byte at which it begins; nil for numbers, which lie in their table.
    package let offset: Int?
    /// The bytes that it takes by itself: a table with the table of its fields' locations, unless
    /// that is counted elsewhere.
    package let byteCount: Int
    /// What it holds.
    package let value: Value
    /// The fields of a table, or the tables of a vector.
    package let children: [Part]
    /// The bytes of this part and all below.
    package let totalByteCount: Int

    init(
      _ label: Label, _ type: String, at offset: Int? = nil, byteCount: Int = 0, _ value: Value,
      children: [Part] = []
    ) {
      name = label.name
      position = label.position
      self.type = type
      self.offset = offset
      self.byteCount = byteCount
      self.value = value
      self.children = children
      // Tables of a hostile file may overlap, but there are too few of them for an overflow.
      totalByteCount = children.reduce(byteCount) { $0 + $1.totalByteCount }
    }
  }

  /// How a part is called in the one above.
  struct Label {
    let name: String?
    let position: Int
  }

  /// What a part holds.
  package enum Value: Sendable {
    /// Its children.
    case parts
    /// A number.
    case number(Number)
    /// This many numbers, the first of which are listed.
    case numbers(count: Int, first: [Number])
    /// A text, or the beginning of a long one.
    case text(String, isCut: Bool)
    /// Bytes in this range of the file, and what they say if they are a FlexBuffer.
    case bytes(Range<Int>, flexBuffer: String?)
    /// What is shown at another location already.
    case shared
    /// What cannot be read, for this reason.
    case broken(FlatBufferError)
    /// A field that the schema known here does not have.
    case unknown
  }

  /// A number as the schema understands it.
  package enum Number: Sendable, Hashable {
    case integer(Int64)
    case unsigned(UInt64)
    case real(Float)
    case truth(Bool)
    case name(String)
  }

  /// The tree of `bytes`, the whole contents of a file, with at most `partLimit` parts.
  ///
  /// - Throws: `ModelError` where the file is something else, or its root table cannot be read.
  package init(
    of bytes: Span<UInt8>, partLimit: Int = 250_000, limits: Limits = Limits()
  ) throws(ModelError) {
    try FileKind.requireModel(bytes)
    do throws(FlatBufferError) {
      let root = try Table(root: bytes, identifier: ModelFile.identifier, limits: limits)
      var builder = TreeBuilder(root, partLimit: partLimit)
      self.root = builder.table(root, as: .model, Label(name: "model", position: 0), .structure)
      isCut = builder.isCut
      var usage = builder.usage
      // The offset of the root table and the identifier.
      usage.claim(0..<8, for: .structure)
      if let archive = try? AssociatedFiles(in: bytes, limits: limits), let start = archive.start {
        usage.claim(start..<bytes.count, for: .archive)
      }
      usage.settle(byteCount: bytes.count)
      self.usage = usage
    } catch {
      throw ModelError(.malformed(error))
    }
    byteCount = bytes.count
  }
}
