// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

/// What metadata says about an input or output.
public struct TensorMetadata: Sendable, Equatable, MetadataTable {
  /// The tensor's name for people, which need not be the one in the graph.
  public var name: String?
  /// What the tensor holds.
  public var description: String?
  /// A name for each dimension.
  public var dimensionNames: [String]
  /// What the tensor's elements are.
  public var content: Content?
  /// How values are prepared or finished, in this order.
  public var processUnits: [ProcessUnit]
  /// The range of the values.
  public var stats: Stats?
  /// Files that belong to the tensor, such as labels.
  public var associatedFiles: [AssociatedFile]

  /// A tensor's metadata of these parts.
  public init(
    name: String? = nil, description: String? = nil, dimensionNames: [String] = [],
    content: Content? = nil, processUnits: [ProcessUnit] = [], stats: Stats? = nil,
    associatedFiles: [AssociatedFile] = []
  ) {
    self.name = name
    self.description = description
    self.dimensionNames = dimensionNames
    self.content = content
    self.processUnits = processUnits
    self.stats = stats
    self.associatedFiles = associatedFiles
  }

  init(_ table: Table) throws(FlatBufferError) {
    name = try table.string(0)
    description = try table.string(1)
    dimensionNames = try table.strings(2) ?? []
    content = try table.value(3, Content.self)
    processUnits = try table.values(4, ProcessUnit.self)
    stats = try table.value(5, Stats.self)
    associatedFiles = try table.values(6, AssociatedFile.self)
  }
}

/// The range of a tensor's values, one for each channel or one for all.
public struct Stats: Sendable, Equatable, MetadataTable {
  /// The largest values.
  public var maximum: [Float]
  /// The smallest values.
  public var minimum: [Float]

  /// A range of values.
  public init(
    maximum: [Float], minimum: [Float]
  ) {
    self.maximum = maximum
    self.minimum = minimum
  }

  init(_ table: Table) throws(FlatBufferError) {
    maximum = try table.floats(0) ?? []
    minimum = try table.floats(1) ?? []
  }
}

/// What the elements of a tensor are.
public struct Content: Sendable, Equatable, MetadataTable {
  /// The kind of contents; nil where the metadata names none.
  public var properties: Properties?
  /// The dimensions that the contents take up; nil for all but the batch.
  public var range: ValueRange?

  /// The kind of a tensor's contents.
  public enum Properties: Sendable, Equatable {
    /// Features without further properties.
    case feature
    /// An image.
    case image(ImageProperties)
    /// Boxes around objects.
    case boundingBox(BoundingBoxProperties)
    /// Sound.
    case audio(AudioProperties)
    /// Contents that the schema known here does not have, by its number.
    case unknown(Int)
  }

  /// Contents of these properties.
  public init(
    properties: Properties?, range: ValueRange? = nil
  ) {
    self.properties = properties
    self.range = range
  }

  init(_ table: Table) throws(FlatBufferError) {
    range = try table.value(2, ValueRange.self)
    let member: UInt8 = try table.scalar(0)
    guard let properties = try table.table(1) else {
      // Features have no properties, and some writers leave out their empty table.
      self.properties = member == 1 ? .feature : nil
      return
    }
    self.properties =
      switch member {
      case 1: .feature
      case 2: .image(try ImageProperties(properties))
      case 3: .boundingBox(try BoundingBoxProperties(properties))
      case 4: .audio(try AudioProperties(properties))
      case 0: nil
      default: .unknown(Int(member))
      }
  }
}

/// Two limits, both included.
public struct ValueRange: Sendable, Equatable, MetadataTable {
  /// The lower limit.
  public var minimum: Int
  /// The upper limit.
  public var maximum: Int

  /// The range between two limits.
  public init(
    minimum: Int, maximum: Int
  ) {
    self.minimum = minimum
    self.maximum = maximum
  }

  init(_ table: Table) throws(FlatBufferError) {
    minimum = Int(try table.scalar(0, default: Int32(0)))
    maximum = Int(try table.scalar(1, default: Int32(0)))
  }
}

/// The properties of a tensor that holds an image.
public struct ImageProperties: Sendable, Equatable, MetadataTable {
  /// The meaning of the channels.
  public var colorSpace: ColorSpace
  /// The size to use where the tensor's is dynamic.
  public var defaultSize: ImageSize?

  /// The meaning of an image's channels.
  public enum ColorSpace: Int8, CaseIterable, Sendable, Hashable {
    /// Not said.
    case unknown = 0
    /// Red, green and blue.
    case rgb = 1
    /// Brightness.
    case grayscale = 2
  }

  /// Properties of an image.
  public init(
    colorSpace: ColorSpace, defaultSize: ImageSize? = nil
  ) {
    self.colorSpace = colorSpace
    self.defaultSize = defaultSize
  }

  init(_ table: Table) throws(FlatBufferError) {
    colorSpace = ColorSpace(rawValue: try table.scalar(0)) ?? .unknown
    defaultSize = try table.value(1, ImageSize.self)
  }
}

/// The size of an image in pixels.
public struct ImageSize: Sendable, Equatable, MetadataTable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// A size in pixels.
  public init(
    width: Int, height: Int
  ) {
    self.width = width
    self.height = height
  }

  init(_ table: Table) throws(FlatBufferError) {
    width = Int(try table.scalar(0, default: UInt32(0)))
    height = Int(try table.scalar(1, default: UInt32(0)))
  }
}

/// The properties of a tensor that holds boxes.
public struct BoundingBoxProperties: Sendable, Equatable, MetadataTable {
  /// The order of a box's numbers; empty for the type's own order.
  public var index: [Int]
  /// What a box's numbers are.
  public var type: BoxType
  /// What the numbers are relative to.
  public var coordinateType: CoordinateType

  /// What the four numbers of a box are.
  public enum BoxType: Int8, CaseIterable, Sendable, Hashable {
    /// Not said.
    case unknown = 0
    /// Left, top, right, bottom.
    case boundaries = 1
    /// Left, top, width, height.
    case upperLeft = 2
    /// Horizontal center, vertical center, width, height.
    case center = 3
  }

  /// What the numbers of a box are relative to.
  public enum CoordinateType: Int8, CaseIterable, Sendable, Hashable {
    /// The image's size: from 0 to 1.
    case ratio = 0
    /// A pixel.
    case pixel = 1
  }

  /// Properties of boxes.
  public init(
    index: [Int] = [], type: BoxType, coordinateType: CoordinateType
  ) {
    self.index = index
    self.type = type
    self.coordinateType = coordinateType
  }

  init(_ table: Table) throws(FlatBufferError) {
    index = try table.uint32s(0)?.map { Int($0) } ?? []
    type = BoxType(rawValue: try table.scalar(1)) ?? .unknown
    coordinateType = try table.enumeration(2, default: .ratio, field: "coordinate_type")
  }
}

/// The properties of a tensor that holds sound.
public struct AudioProperties: Sendable, Equatable, MetadataTable {
  /// Samples per second.
  public var sampleRate: Int
  /// The number of channels.
  public var channels: Int

  /// Properties of sound.
  public init(
    sampleRate: Int, channels: Int
  ) {
    self.sampleRate = sampleRate
    self.channels = channels
  }

  init(_ table: Table) throws(FlatBufferError) {
    sampleRate = Int(try table.scalar(0, default: UInt32(0)))
    channels = Int(try table.scalar(1, default: UInt32(0)))
  }
}
