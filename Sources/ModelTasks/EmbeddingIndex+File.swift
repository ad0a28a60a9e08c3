// SPDX-License-Identifier: Apache-2.0

import Compression

extension EmbeddingIndex {
  /// The index as a file.
  ///
  /// All numbers are little-endian:
  ///
  /// | bytes | content |
  /// |---|---|
  /// | 8 | `MRTLTIDX` |
  /// | 4 | version of the format: 1 |
  /// | 4 | metric: 0 for cosine, 1 for squared L2 |
  /// | 4 | elements of each embedding |
  /// | 4 | number of entries |
  /// | 4 × entries | bytes of each entry's name |
  /// | | the names in UTF-8, one after another |
  /// | 4 × entries × elements | the elements as 32-bit floats |
  /// | 4 | CRC-32 of everything before |
  public func serialized() -> [UInt8] {
    var file = Self.signature
    let utf8 = names.map { Array($0.utf8) }
    for number in [Self.version, UInt32(metric.rawValue), UInt32(dimension), UInt32(count)] {
      Self.append(number, to: &file)
    }
    for name in utf8 { Self.append(UInt32(truncatingIfNeeded: name.count), to: &file) }
    for name in utf8 { file += name }
    file.reserveCapacity(file.count + 4 * elements.count + 4)
    for element in elements { Self.append(element.bitPattern, to: &file) }
    Self.append(Checksum.crc32(file.span), to: &file)
    return file
  }

  /// The index that a file holds; see `serialized()`.
  ///
  /// - Throws: `EmbeddingIndexError.file` with the byte where it is wrong.
  public init(parsing file: [UInt8]) throws(EmbeddingIndexError) {
    guard file.starts(with: Self.signature) else {
      throw .file("no index of embeddings", offset: 0)
    }
    var reader = IndexReader(file: file, offset: Self.signature.count)
    let version = try reader.number()
    guard version == Self.version else {
      throw .file("version \(version) of the format; only 1 is known", offset: 8)
    }
    let metricCode = try reader.number()
    guard let metric = UInt8(exactly: metricCode).flatMap(Metric.init) else {
      throw .file("unknown metric \(metricCode)", offset: 12)
    }
    let dimension = Int(try reader.number())
    let count = Int(try reader.number())
    guard (1...Self.largestDimension).contains(dimension) else {
      throw .file("embeddings of \(dimension) elements", offset: 16)
    }
    guard count <= Self.largestElementCount / dimension, 4 * count <= reader.rest else {
      throw .file("\(count) entries, which the file has no room for", offset: 20)
    }
    var lengths: [Int] = []
    for _ in 0..<count { lengths.append(Int(try reader.number())) }
    var names: [String] = []
    for length in lengths { names.append(try reader.text(length)) }
    guard reader.rest == 4 * count * dimension + 4 else {
      throw .file(
        "\(reader.rest) bytes of elements and checksum instead of \(4 * count * dimension + 4)",
        offset: reader.offset)
    }
    let end = file.count - 4
    guard Checksum.crc32(file.span.extracting(0..<end)) == IndexReader.number(file, at: end) else {
      throw .file("the checksum differs", offset: end)
    }
    var elements: [Float] = []
    elements.reserveCapacity(count * dimension)
    for _ in 0..<count * dimension {
      let element = Float(bitPattern: try reader.number())
      guard element.isFinite else {
        throw .file("an element that is no finite number", offset: reader.offset - 4)
      }
      elements.append(element)
    }
    try self.init(dimension: dimension, metric: metric, names: names, elements: elements)
  }

  private static let signature = Array("MRTLTIDX".utf8)
  private static let version: UInt32 = 1

  private static func append(_ number: UInt32, to file: inout [UInt8]) {
    for shift in stride(from: 0, to: 32, by: 8) {
      file.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
    }
  }
}

/// Reads an index from the front.
private struct IndexReader {
  let file: [UInt8]
  var offset: Int

  /// The bytes that are left.
  var rest: Int { file.count - offset }

  mutating func number() throws(EmbeddingIndexError) -> UInt32 {
    guard rest >= 4 else { throw .file("the file ends early", offset: file.count) }
    offset += 4
    return Self.number(file, at: offset - 4)
  }

  /// A name of so many bytes.
  mutating func text(_ count: Int) throws(EmbeddingIndexError) -> String {
    guard rest >= count else { throw .file("the file ends in a name", offset: file.count) }
    let bytes = file[offset..<offset + count]
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .file("a name that is no UTF-8", offset: offset)
    }
    offset += count
    return text
  }

  /// The number at an offset that has four bytes.
  static func number(_ file: [UInt8], at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(file[offset + $1]) << UInt32(8 * $1) }
  }
}
