// SPDX-License-Identifier: Apache-2.0

import Npy
import Tensors
import Testing

/// npy files as NumPy 2 writes them, in parts.
struct NpyRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let type: NpyElementType
  let shape: Shape
  /// The file.
  let file: [UInt8]
  /// The values, little-endian and row-major.
  let bytes: [UInt8]
  /// Whether writing the array gives the same file: version 1, little-endian, row-major.
  let isCanonical: Bool

  init(
    _ description: String, _ type: NpyElementType, _ shape: Shape, version: UInt8,
    header: String, padding: Int, data: String, values: String
  ) {
    testDescription = description
    self.type = type
    self.shape = shape
    let text = Array((header + String(repeating: " ", count: padding) + "\n").utf8)
    let length = [UInt8(text.count)] + [UInt8](repeating: 0, count: version == 1 ? 1 : 3)
    let start: [UInt8] = [0x93] + Array("NUMPY".utf8) + [version, 0]
    file = start + length + text + bytesOf(data)
    bytes = bytesOf(values)
    isCanonical = version == 1 && !header.contains(">") && !header.contains("True")
  }

  static let rows = [
    NpyRow(
      "float32, two axes", .float32, [2, 3], version: 1,
      header: "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
      padding: 58, data: "0000c03f000000c0cdcccc3d000040400000807f00000080",
      values: "0000c03f000000c0cdcccc3d000040400000807f00000080"),
    NpyRow(
      "float64 scalar", .float64, [], version: 1,
      header: "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
      padding: 62, data: "182d4454fb210940",
      values: "182d4454fb210940"),
    NpyRow(
      "float16", .float16, [3], version: 1,
      header: "{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }",
      padding: 60, data: "003c00c0ff7b",
      values: "003c00c0ff7b"),
    NpyRow(
      "int8", .int8, [3], version: 1,
      header: "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }",
      padding: 60, data: "807fff",
      values: "807fff"),
    NpyRow(
      "uint8 without elements", .uint8, [2, 0, 3], version: 1,
      header: "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 0, 3), }",
      padding: 55, data: "",
      values: ""),
    NpyRow(
      "int16, most significant byte first", .int16, [3], version: 1,
      header: "{'descr': '>i2', 'fortran_order': False, 'shape': (3,), }",
      padding: 60, data: "0001fffe012c",
      values: "0100feff2c01"),
    NpyRow(
      "uint16", .uint16, [2], version: 1,
      header: "{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }",
      padding: 60, data: "0100ffff",
      values: "0100ffff"),
    NpyRow(
      "int32, most significant byte first", .int32, [2, 1], version: 1,
      header: "{'descr': '>i4', 'fortran_order': False, 'shape': (2, 1), }",
      padding: 58, data: "00000001fffeee90",
      values: "0100000090eefeff"),
    NpyRow(
      "uint32", .uint32, [1], version: 1,
      header: "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }",
      padding: 60, data: "ffffffff",
      values: "ffffffff"),
    NpyRow(
      "int64", .int64, [1], version: 1,
      header: "{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }",
      padding: 60, data: "0000000000000080",
      values: "0000000000000080"),
    NpyRow(
      "uint64", .uint64, [1], version: 1,
      header: "{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }",
      padding: 60, data: "ffffffffffffffff",
      values: "ffffffffffffffff"),
    NpyRow(
      "bool", .bool, [3], version: 1,
      header: "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }",
      padding: 60, data: "010001",
      values: "010001"),
    NpyRow(
      "complex64, most significant byte first", .complex64, [2], version: 1,
      header: "{'descr': '>c8', 'fortran_order': False, 'shape': (2,), }",
      padding: 60, data: "3f8000004000000080000000bf000000",
      values: "0000803f0000004000000080000000bf"),
    NpyRow(
      "complex128", .complex128, [1], version: 1,
      header: "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }",
      padding: 59, data: "000000000000f03f00000000000000c0",
      values: "000000000000f03f00000000000000c0"),
    NpyRow(
      "strings of unequal length", .string(byteCount: 5), [3], version: 1,
      header: "{'descr': '|S5', 'fortran_order': False, 'shape': (3,), }",
      padding: 60, data: "63617400000000000000686f727365",
      values: "63617400000000000000686f727365"),
    NpyRow(
      "column-major, two axes", .int16, [2, 3], version: 1,
      header: "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }",
      padding: 59, data: "000003000100040002000500",
      values: "000001000200030004000500"),
    NpyRow(
      "column-major, three axes", .uint8, [2, 3, 2], version: 1,
      header: "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 2), }",
      padding: 56, data: "00060208040a01070309050b",
      values: "000102030405060708090a0b"),
    NpyRow(
      "column-major and most significant byte first", .uint32, [2, 2], version: 1,
      header: "{'descr': '>u4', 'fortran_order': True, 'shape': (2, 2), }",
      padding: 59, data: "00000000000000020000000100000003",
      values: "00000000010000000200000003000000"),
    NpyRow(
      "header version 2", .int32, [1], version: 2,
      header: "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }",
      padding: 58, data: "07000000",
      values: "07000000"),
    NpyRow(
      "header version 3", .int32, [1], version: 3,
      header: "{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }",
      padding: 58, data: "07000000",
      values: "07000000"),
    NpyRow(
      "float32, most significant byte first", .float32, [1], version: 1,
      header: "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }",
      padding: 60, data: "3fc00000",
      values: "0000c03f"),
  ]
}

/// The bytes that pairs of hexadecimal digits stand for.
func bytesOf(_ digits: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = digits[...]
  while let byte = UInt8(rest.prefix(2), radix: 16) {
    bytes.append(byte)
    rest = rest.dropFirst(2)
  }
  return bytes
}
