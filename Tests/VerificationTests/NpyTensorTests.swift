// SPDX-License-Identifier: Apache-2.0

import Npy
import Tensors
import Testing

/// Npy arrays and tensors.
@Suite struct NpyTensorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let tensorType: ElementType
    let shape: Shape
    let tensor: [UInt8]
    let npyType: NpyElementType
    let npy: [UInt8]

    init(
      _ tensorType: ElementType, _ shape: Shape, _ tensor: [UInt8], _ npyType: NpyElementType,
      _ npy: [UInt8]
    ) {
      self.tensorType = tensorType
      self.shape = shape
      self.tensor = tensor
      self.npyType = npyType
      self.npy = npy
    }

    var testDescription: String { "\(tensorType.schemaName) \(shape)" }
  }

  static let rows = [
    Row(.float32, [1], [0, 0, 0x80, 0x3F], .float32, [0, 0, 0x80, 0x3F]),
    Row(.bfloat16, [1], [0x80, 0x3F], .uint16, [0x80, 0x3F]),
    Row(.float16, [1], [0, 0x3C], .float16, [0, 0x3C]),
    Row(.bool, [2], [1, 0], .bool, [1, 0]),
    // 7, -8, 3 as nibbles, low ones first.
    Row(.int4, [3], [0x87, 0x03], .int8, [7, 0xF8, 3]),
    Row(.uint4, [3], [0x8F, 0x03], .uint8, [15, 8, 3]),
    // 1, -2, -1, 0, 1 as pairs of bits, low ones first.
    Row(.int2, [5], [0b00_11_10_01, 1], .int8, [1, 0xFE, 0xFF, 0, 1]),
    Row(.complex64, [0], [], .complex64, []),
    // 2 strings: "cat" at 16, "ab" at 19, end at 21.
    Row(
      .string, [2], [2, 0, 0, 0, 16, 0, 0, 0, 19, 0, 0, 0, 21, 0, 0, 0] + Array("catab".utf8),
      .string(byteCount: 3), Array("catab\0".utf8)),
    Row(.string, [0], [0, 0, 0, 0, 8, 0, 0, 0], .string(byteCount: 1), []),
  ]

  @Test(arguments: rows)
  func `a tensor becomes an array`(row: Row) throws {
    let array = try NpyArray(TensorType(row.tensorType, row.shape), tensorBytes: row.tensor)
    #expect(array.elementType == row.npyType)
    #expect(array.bytes == row.npy)
  }

  @Test(arguments: rows)
  func `an array becomes a tensor`(row: Row) throws {
    let array = try NpyArray(row.npyType, row.shape, bytes: row.npy)
    #expect(try array.tensorBytes(as: row.tensorType) == row.tensor)
  }

  @Test(arguments: [
    (ElementType.int4, NpyElementType.int8, UInt8(8), "element 1 is 8, beyond INT4"),
    (.int4, .int8, 0xF7, "element 1 is -9, beyond INT4"),
    (.int2, .int8, 2, "element 1 is 2, beyond INT2"),
    (.uint4, .uint8, 16, "element 1 is 16, beyond UINT4"),
  ])
  func `values beyond a narrow type are refused`(
    tensorType: ElementType, npyType: NpyElementType, value: UInt8, reason: String
  ) throws {
    let array = try NpyArray(npyType, [2], bytes: [0, value])
    #expect(throws: NpyError(reason)) { _ = try array.tensorBytes(as: tensorType) }
  }

  @Test func `an array of another type is refused`() throws {
    let array = try NpyArray([Float(1)])
    #expect(throws: NpyError("type float32 for a tensor of FLOAT16")) {
      _ = try array.tensorBytes(as: .float16)
    }
  }

  @Test(
    arguments: [
      [], [1, 0, 0], [255, 255, 255, 255], [255, 255, 255, 127], [1, 0, 0, 0, 12, 0, 0, 0],
      [1, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0], [1, 0, 0, 0, 4, 0, 0, 0, 12, 0, 0, 0],
      [1, 0, 0, 0, 12, 0, 0, 0, 11, 0, 0, 0], [1, 0, 0, 0, 255, 255, 255, 255, 12, 0, 0, 0],
    ] as [[UInt8]])
  func `damaged string tensors are refused`(bytes: [UInt8]) {
    #expect(throws: StringTensor.Malformed.self) { _ = try StringTensor.strings(in: bytes) }
  }

  @Test func `values are read and written as Swift types`() throws {
    let array = try NpyArray([Int16(1), -2, 3, 4], shape: [2, 2])
    #expect(array.bytes == [1, 0, 0xFE, 0xFF, 3, 0, 4, 0])
    #expect(array.values(as: Int16.self) == [1, -2, 3, 4])
    #expect(array.values(as: UInt16.self) == nil)
  }
}
