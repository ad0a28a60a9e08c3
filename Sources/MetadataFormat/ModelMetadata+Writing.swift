// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension ModelMetadata {
  /// The bytes that `init(parsing:)` reads: the contents of the buffer named `TFLITE_METADATA`.
  ///
  /// The oldest parser that understands it is filled in; see `requiredParserVersion`.
  ///
  /// - Throws: `MetadataError.unknownPart` or `.outOfRange` where a part cannot be written.
  public func serialized() throws(MetadataError) -> [UInt8] {
    FlatTable([
      0: .text(name), 1: .text(description), 2: .text(version), 3: try .values(subgraphs),
      4: .text(author), 5: .text(license), 6: try .values(associatedFiles),
      7: .string(requiredParserVersion),
    ]).serialized(identifier: Self.identifier)
  }
}

extension SubgraphMetadata {
  func table() throws(MetadataError) -> FlatTable {
    FlatTable([
      0: .text(name), 1: .text(description), 2: try .values(inputs), 3: try .values(outputs),
      4: try .values(associatedFiles), 5: try .values(inputProcessUnits),
      6: try .values(outputProcessUnits), 7: try .values(inputGroups),
      8: try .values(outputGroups), 9: try .values(customMetadata),
    ])
  }
}

extension TensorGroup {
  func table() -> FlatTable {
    FlatTable([0: .text(name), 1: tensorNames.isEmpty ? nil : .strings(tensorNames)])
  }
}

extension CustomMetadata {
  // Programs read the bytes in place, as a FlatBuffer of their own.
  func table() -> FlatTable { FlatTable([0: .text(name), 1: .bytes(data, alignment: 16)]) }
}

extension AssociatedFile {
  func table() -> FlatTable {
    FlatTable([
      0: .text(name), 1: .text(description), 2: kind == .unknown ? nil : .int(kind.rawValue),
      3: .text(locale), 4: .text(version),
    ])
  }
}

extension TensorMetadata {
  func table() throws(MetadataError) -> FlatTable {
    FlatTable([
      0: .text(name), 1: .text(description),
      2: dimensionNames.isEmpty ? nil : .strings(dimensionNames),
      3: try .value(content), 4: try .values(processUnits), 5: try .value(stats),
      6: try .values(associatedFiles),
    ])
  }
}

extension Stats {
  func table() -> FlatTable { FlatTable([0: .list(maximum), 1: .list(minimum)]) }
}

extension Content {
  func table() throws(MetadataError) -> FlatTable {
    let (member, options): (UInt8, FlatTable?) =
      switch properties {
      case nil: (0, nil)
      case .feature: (1, FlatTable())
      case .image(let image): (2, try image.table())
      case .boundingBox(let box): (3, try box.table())
      case .audio(let audio): (4, try audio.table())
      case .unknown(let number): throw .unknownPart("content of kind \(number)")
      }
    return FlatTable([
      0: member == 0 ? nil : .int(member), 1: options.map { .table($0) }, 2: try .value(range),
    ])
  }
}

extension ValueRange {
  func table() throws(MetadataError) -> FlatTable {
    FlatTable([
      0: try .int(minimum, as: Int32.self, "a content's range"),
      1: try .int(maximum, as: Int32.self, "a content's range"),
    ])
  }
}

extension ImageProperties {
  func table() throws(MetadataError) -> FlatTable {
    FlatTable([0: .int(colorSpace.rawValue), 1: try .value(defaultSize)])
  }
}

extension ImageSize {
  func table() throws(MetadataError) -> FlatTable {
    FlatTable([
      0: try .int(width, as: UInt32.self, "an image's width"),
      1: try .int(height, as: UInt32.self, "an image's height"),
    ])
  }
}

extension BoundingBoxProperties {
  func table() throws(MetadataError) -> FlatTable {
    var numbers: [UInt32] = []
    for position in index {
      guard let number = UInt32(exactly: position) else { throw .outOfRange("a box's index") }
      numbers.append(number)
    }
    return FlatTable([
      0: numbers.isEmpty ? nil : .ints(numbers), 1: .int(type.rawValue),
      2: .int(coordinateType.rawValue),
    ])
  }
}

extension AudioProperties {
  func table() throws(MetadataError) -> FlatTable {
    FlatTable([
      0: try .int(sampleRate, as: UInt32.self, "a sample rate"),
      1: try .int(channels, as: UInt32.self, "a number of channels"),
    ])
  }
}

extension FlatTable {
  /// A table of the fields that are there.
  init(_ fields: [Int: FlatField?]) { self.init(fields.compactMapValues { $0 }) }
}

extension FlatField {
  static func text(_ text: String?) -> FlatField? { text.map { .string($0) } }

  static func list(_ values: [Float]) -> FlatField? { values.isEmpty ? nil : .floats(values) }

  /// The tables of these values; nil for none, as parsers tell versions by which fields there are.
  static func values<Value: MetadataTable>(_ values: [Value]) throws(MetadataError) -> FlatField? {
    guard !values.isEmpty else { return nil }
    var tables: [FlatTable] = []
    for value in values { tables.append(try value.table()) }
    return .tables(tables)
  }

  static func value<Value: MetadataTable>(_ value: Value?) throws(MetadataError) -> FlatField? {
    guard let value else { return nil }
    return .table(try value.table())
  }

  /// An integer of the width of `type`; `name` says what it is where it does not fit.
  static func int<Value: FixedWidthInteger>(
    _ value: Int, as type: Value.Type, _ name: String
  ) throws(MetadataError) -> FlatField {
    guard let value = Value(exactly: value) else { throw .outOfRange(name) }
    return .int(value)
  }
}
