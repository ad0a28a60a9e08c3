// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Testing

/// The bytes of all cases come from Python's `flatbuffers.flexbuffers`, version 25.
@Suite struct FlexBuffersTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let value: FlexValue

    init(_ testDescription: String, _ bytes: [UInt8], _ value: FlexValue) {
      self.testDescription = testDescription
      self.bytes = bytes
      self.value = value
    }
  }

  static let rows = [
    Row("an integer", [249, 4, 1], .int(-7)),
    Row("an unsigned integer", [200, 8, 1], .uint(200)),
    Row("a narrow number", [0, 0, 0, 63, 14, 4], .float(0.5)),
    Row("a wide number", [24, 45, 68, 84, 251, 33, 9, 64, 15, 8], .float(.pi)),
    Row("a text", [6, 104, 195, 169, 108, 108, 111, 0, 7, 20, 1], .string("héllo")),
    Row("bytes", [3, 1, 2, 255, 3, 100, 1], .blob([1, 2, 255])),
    Row("no value", [0, 0, 1], .null),
    Row("a truth value", [1, 104, 1], .bool(true)),
    Row(
      "a vector of different values",
      [
        1, 97, 0, 2, 1, 0, 104, 0, 4, 0, 0, 0, 1, 0, 0, 0, 15, 0, 0, 0, 0, 0, 32, 64, 20, 0, 0, 0,
        6, 20, 14, 40, 20, 42, 1,
      ],
      .vector([.int(1), .string("a"), .float(2.5), .vector([.bool(true), .null])])),
    Row("integers", [3, 0, 1, 0, 254, 255, 48, 117, 6, 45, 1], ints(1, -2, 30000)),
    Row(
      "unsigned integers", [2, 0, 0, 0, 7, 0, 0, 0, 0, 40, 107, 238, 8, 50, 1],
      .vector([.uint(7), .uint(4_000_000_000)])),
    Row(
      "numbers", [2, 0, 0, 0, 0, 0, 0, 63, 0, 0, 192, 63, 8, 54, 1],
      .vector([.float(0.5), .float(1.5)])),
    Row("two integers without count", [1, 254, 2, 64, 1], ints(1, -2)),
    Row("three integers without count", [1, 2, 3, 3, 76, 1], ints(1, 2, 3)),
    Row(
      "four numbers without count",
      [0, 0, 192, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 136, 64, 16, 98, 1],
      .vector([.float(1.5), .float(2), .float(3), .float(4.25)])),
    Row(
      "truth values", [3, 1, 0, 1, 3, 144, 1], .vector([.bool(true), .bool(false), .bool(true)])),
    Row(
      "keys", [111, 110, 101, 0, 116, 119, 111, 0, 2, 9, 6, 2, 56, 1],
      .vector([.key("one"), .key("two")])),
    Row("an integer behind an offset", [0, 0, 0, 0, 0, 1, 0, 0, 8, 27, 1], .int(1 << 40)),
    Row(
      "numbers behind offsets", [0, 0, 32, 64, 112, 17, 1, 0, 3, 9, 6, 5, 34, 30, 4, 6, 40, 1],
      .vector([.float(2.5), .uint(70000), .int(5)])),
    Row("a map", map, mapValue),
  ]

  static func ints(_ values: Int64...) -> FlexValue { .vector(values.map { .int($0) }) }

  static let map: [UInt8] = [
    109, 97, 120, 95, 100, 101, 116, 101, 99, 116, 105, 111, 110, 115, 0, 120, 95, 115, 99, 97,
    108, 101, 0, 117, 115, 101, 95, 114, 101, 103, 117, 108, 97, 114, 95, 110, 109, 115, 0, 110,
    101, 115, 116, 101, 100, 0, 97, 0, 3, 0, 1, 0, 2, 0, 44, 1, 5, 5, 5, 1, 14, 1, 1, 1, 14, 41,
    4, 67, 29, 46, 55, 0, 5, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 10, 0, 0, 0, 24, 0, 0, 0, 1, 0, 0, 0,
    0, 0, 32, 65, 6, 36, 106, 14, 20, 38, 1,
  ]

  static let mapValue = FlexValue.map([
    FlexValue.Entry("max_detections", .int(10)),
    FlexValue.Entry("nested", .map([FlexValue.Entry("a", ints(1, 2, 300))])),
    FlexValue.Entry("use_regular_nms", .bool(true)),
    FlexValue.Entry("x_scale", .float(10)),
  ])

  @Test(arguments: rows)
  func `bytes of another implementation`(row: Row) throws {
    #expect(try FlexBuffers.decode(row.bytes.span) == row.value)
  }

  @Test func `accessors convert where nothing is lost but fractions`() throws {
    let value = try FlexBuffers.decode(Self.map.span)
    #expect(value["max_detections"]?.int == 10)
    #expect(value["max_detections"]?.float == 10)
    #expect(value["x_scale"]?.int == 10)
    #expect(value["use_regular_nms"]?.bool == true)
    #expect(value["nested"]?["a"]?[2]?.int == 300)
    #expect(value["nested"]?["a"]?[3] == nil)
    #expect(value["absent"] == nil)
    #expect(value.int == nil)
    #expect(FlexValue.float(.nan).int == nil)
    #expect(FlexValue.float(1e30).int == nil)
    #expect(FlexValue.uint(.max).int == nil)
    #expect(FlexValue.key("k").string == "k")
    #expect(value.vector?.count == 4)
  }

  @Test(arguments: rows)
  func `every prefix decodes or is reported`(row: Row) {
    for length in 0..<row.bytes.count { Self.mayThrow(Array(row.bytes.prefix(length))) }
  }

  @Test(arguments: rows)
  func `every changed byte decodes or is reported`(row: Row) {
    for position in row.bytes.indices {
      for value in UInt8.min...UInt8.max {
        var bytes = row.bytes
        bytes[position] = value
        Self.mayThrow(bytes)
      }
    }
  }

  static func mayThrow(_ bytes: [UInt8]) {
    do {
      _ = try FlexBuffers.decode(bytes.span)
    } catch {
      #expect(!error.description.isEmpty)
    }
  }

  @Test func `vectors nested 32 deep are read, deeper ones are not`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      var bytes: [UInt8] = [0, 0]
      // Each vector of one element: count, offset to the vector before, type.
      for level in 0..<depth { bytes += [1, level == 0 ? 0 : 3, level == 0 ? 0 : 40] }
      return bytes + [2, 40, 1]
    }
    #expect(throws: Never.self) { try FlexBuffers.decode(nested(32).span) }
    let error = #expect(throws: FlatBufferError.self) {
      try FlexBuffers.decode(nested(33).span)
    }
    #expect(error?.reason == .tooDeep(limit: 32))
  }

  @Test func `a bomb of shared vectors stops at the limit`() {
    var bytes: [UInt8] = [1, 0, 0]
    var previous = 1
    for _ in 0..<12 {
      let start = bytes.count + 1
      bytes.append(10)
      for element in 0..<10 { bytes.append(UInt8(start + element - previous)) }
      bytes += [UInt8](repeating: 40, count: 10)
      previous = start
    }
    bytes += [UInt8(bytes.count - previous), 40, 1]
    let error = #expect(throws: FlatBufferError.self) { try FlexBuffers.decode(bytes.span) }
    let limit = max(bytes.count, FlexBuffers.leastElementLimit)
    #expect(error?.reason == .tooManyElements(limit: limit))
  }

  @Test func `vectors of vectors may have as many elements as the buffer has bytes`() throws {
    // Vectors of 15 integers, of which a vector has one 10 or 20 times.
    func repeated(_ count: Int) -> [UInt8] {
      let inner: [UInt8] = [15] + (0..<15).map { UInt8($0) }
      let offsets = (0..<count).map { UInt8(16 + $0) }
      let types = [UInt8](repeating: 44, count: count)
      return inner + [UInt8(count)] + offsets + types + [UInt8(2 * count), 40, 1]
    }
    #expect(try FlexBuffers.decode(repeated(10).span).vector?.count == 10)
    let error = #expect(throws: FlatBufferError.self) {
      try FlexBuffers.decode(repeated(20).span)
    }
    #expect(error?.reason == .tooManyElements(limit: FlexBuffers.leastElementLimit))
  }

  /// A vector of maps of one number, which share their key.
  private static func mapsOfSharedKeys(_ count: Int, keyLength: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: UInt8(ascii: "k"), count: keyLength) + [0]
    func append(_ number: Int) {
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    append(1)
    let keys = bytes.count
    append(keys)
    var maps: [Int] = []
    for value in 0..<count {
      append(bytes.count - keys)
      for number in [4, 1] { append(number) }
      maps.append(bytes.count)
      append(value)
      bytes.append(6)
    }
    append(count)
    let start = bytes.count
    for map in maps { append(bytes.count - map) }
    bytes += [UInt8](repeating: 38, count: count)
    append(bytes.count - start)
    return bytes + [42, 4]
  }

  @Test func `maps may share long keys`() throws {
    let key = String(repeating: "k", count: 500)
    let value = try FlexBuffers.decode(Self.mapsOfSharedKeys(1000, keyLength: 500).span)
    #expect(value.vector?.count == 1000)
    #expect(value[999]?[key]?.int == 999)
  }

  @Test func `keys of more text than a buffer has bytes for stop at the limit`() {
    let bytes = Self.mapsOfSharedKeys(1000, keyLength: 30_000)
    let error = #expect(throws: FlatBufferError.self) { try FlexBuffers.decode(bytes.span) }
    #expect(error?.reason == .tooManyElements(limit: FlexBuffers.elementLimit))
  }
}
