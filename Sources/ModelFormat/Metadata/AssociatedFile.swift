// SPDX-License-Identifier: Apache-2.0

package import Compression
import FlatBuffers

/// A file that metadata refers to and that is packed into the model.
public struct AssociatedFile: Sendable, Equatable, MetadataTable {
  /// The name under which the file is packed.
  public let name: String?
  /// What the file holds.
  public let description: String?
  /// What the file is for.
  public let kind: Kind
  /// The language of the file, such as `en` or `en-US`.
  public let locale: String?
  /// The file's version.
  public let version: String?

  /// What an associated file is for.
  public enum Kind: Int8, CaseIterable, Sendable, Hashable {
    /// Not said.
    case unknown = 0
    /// Text for people.
    case descriptions = 1
    /// A label for each index along the tensor's last axis, one per line.
    case tensorAxisLabels = 2
    /// A label for each value of the tensor, one per line.
    case tensorValueLabels = 3
    /// Calibration parameters for each index along the tensor's last axis, one line each.
    case tensorAxisScoreCalibration = 4
    /// Words, one per line.
    case vocabulary = 5
    /// An index for approximate nearest neighbours.
    case scannIndexFile = 6
  }

  init(_ table: Table) throws(FlatBufferError) {
    name = try table.string(0)
    description = try table.string(1)
    kind = Kind(rawValue: try table.scalar(2)) ?? .unknown
    locale = try table.string(3)
    version = try table.string(4)
  }
}

/// The files that are packed into a model as a zip archive behind the FlatBuffer.
package struct AssociatedFiles: Sendable {
  private let archive: ZipArchive?

  /// The files in `bytes`, the whole contents of a model file; none if no archive follows.
  package init(in bytes: Span<UInt8>, limits: ZipLimits = .init()) throws(ZipError) {
    do {
      archive = try ZipArchive(bytes, limits: limits)
    } catch .missingEndRecord {
      archive = nil
    }
  }

  /// The entries, in the archive's order.
  package var entries: [ZipArchive.Entry] { archive?.entries ?? [] }

  /// The names of the files, in the archive's order.
  package var names: [String] { entries.map(\.name) }

  /// The contents of the file called `name` within `bytes`, the same as at creation.
  package func contents(of name: String, in bytes: Span<UInt8>) throws(ZipError) -> [UInt8] {
    guard let archive else { throw .noSuchEntry(name: name) }
    return try archive.contents(of: name, in: bytes)
  }
}
