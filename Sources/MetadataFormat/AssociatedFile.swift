// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

/// A file that metadata refers to and that is packed into the model.
public struct AssociatedFile: Sendable, Equatable, MetadataTable {
  /// The name under which the file is packed.
  public var name: String?
  /// What the file holds.
  public var description: String?
  /// What the file is for.
  public var kind: Kind
  /// The language of the file, such as `en` or `en-US`.
  public var locale: String?
  /// The file's version.
  public var version: String?

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
    /// An index for approximate nearest neighbors.
    case scannIndexFile = 6
  }

  /// A file of this kind.
  public init(
    name: String?, description: String? = nil, kind: Kind, locale: String? = nil,
    version: String? = nil
  ) {
    self.name = name
    self.description = description
    self.kind = kind
    self.locale = locale
    self.version = version
  }

  init(_ table: Table) throws(FlatBufferError) {
    name = try table.string(0)
    description = try table.string(1)
    kind = Kind(rawValue: try table.scalar(2)) ?? .unknown
    locale = try table.string(3)
    version = try table.string(4)
  }
}
