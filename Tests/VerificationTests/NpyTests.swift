// SPDX-License-Identifier: Apache-2.0

import Npy
import Tensors
import Testing

/// Npy files.
@Suite struct NpyTests {
  @Test(arguments: NpyRow.rows)
  func `what NumPy writes is read`(row: NpyRow) throws {
    let array = try NpyArray(parsing: row.file.span)
    #expect(array.elementType == row.type)
    #expect(array.shape == row.shape)
    #expect(array.bytes == row.bytes)
  }

  @Test(arguments: NpyRow.rows.filter(\.isCanonical))
  func `what is written is what NumPy writes`(row: NpyRow) throws {
    let array = try NpyArray(row.type, row.shape, bytes: row.bytes)
    #expect(array.encoded() == row.file)
  }

  /// Length of the header's text and of its dictionary, as `numpy.save` of zeros gave them.
  @Test(arguments: [
    ([], 118, 55), ([3], 118, 57), ([1, 224, 224, 3], 118, 69),
    ([Int](repeating: 1, count: 16), 182, 101),
    ([123] + [Int](repeating: 1, count: 17), 182, 109),
    ([12345] + [Int](repeating: 1, count: 19), 182, 117),
    ([2] + [Int](repeating: 1, count: 25), 182, 131),
  ])
  func `headers are padded as NumPy pads them`(
    dimensions: [Int], textLength: Int, dictionaryLength: Int
  ) throws {
    let header = NpyHeader.encoded(.float32, try Shape(dimensions))
    #expect(header.count == 10 + textLength)
    #expect(header[10...].lastIndex(of: UInt8(ascii: "}")) == 9 + dictionaryLength)
  }

  @Test func `bytes after the data are ignored`() throws {
    let row = NpyRow.rows[0]
    #expect(try NpyArray(parsing: (row.file + [1, 2, 3]).span).bytes == row.bytes)
  }

  @Test(arguments: NpyRow.rows)
  func `every prefix is refused with its length as the location`(row: NpyRow) {
    for length in row.file.indices {
      let prefix = Array(row.file.prefix(length))
      let error = #expect(throws: NpyError.self) { _ = try NpyArray(parsing: prefix.span) }
      #expect(error?.offset == length)
    }
  }

  @Test func `no single flipped bit traps`() throws {
    for row in NpyRow.rows {
      for position in row.file.indices {
        for bit in 0..<8 {
          var bytes = row.file
          bytes[position] ^= 1 << bit
          _ = try? NpyArray(parsing: bytes.span)
        }
      }
    }
  }

  struct BadHeader: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let error: NpyError

    init(_ text: String, _ reason: String, _ offset: Int) {
      testDescription = "\(reason): \(text)"
      self.text = text
      error = NpyError(reason, offset: offset)
    }
  }

  static let badHeaders = [
    BadHeader("", "wanted '{'", 10),
    BadHeader("{}", "header without 'descr', 'fortran_order' or 'shape'", 10),
    BadHeader("{'descr': '<f4', 'descr': '<f4'}", "key 'descr' twice", 27),
    BadHeader("{'size': 3}", "unknown key in the header", 11),
    BadHeader("{'descr': '<f3'}", "element type '<f3' is not supported", 20),
    BadHeader("{'descr': '<U5'}", "element type '<U5' is not supported", 20),
    BadHeader("{'descr': '|O'}", "element type '|O' is not supported", 20),
    BadHeader("{'descr': '|f4'}", "element type '|f4' is not supported", 20),
    BadHeader(
      "{'descr': '<f99999999999999999999'}",
      "element type '<f99999999999999999999' is not supported", 20),
    BadHeader("{'descr': [('a', '<f4')]}", "structured element types are not supported", 20),
    BadHeader("{'descr': '<f4", "string without an end", 20),
    BadHeader("{'descr': '<\\x664'}", "unexpected character in a string", 21),
    BadHeader("{'fortran_order': 0}", "wanted True or False", 28),
    BadHeader("{'shape': (3)}", "wanted ',' after a tuple's only number", 22),
    BadHeader("{'shape': [3]}", "wanted '('", 20),
    BadHeader("{'shape': (-1,)}", "wanted a dimension", 21),
    BadHeader("{'shape': (99999999999999999999,)}", "dimension too large", 21),
    BadHeader("{'shape': __import__('os')}", "wanted '('", 20),
    BadHeader(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} 1",
      "text after the header's dictionary", 66),
    BadHeader(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776, 2)}",
      "too many elements in [1099511627776, 2]", 10),
    BadHeader(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000,)}",
      "file ends early: 0 bytes of data for float32 1000000", 71),
  ]

  @Test(arguments: badHeaders)
  func `bad headers are refused with the location`(row: BadHeader) {
    let file =
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(row.text.utf8.count), 0] + Array(row.text.utf8)
    #expect(throws: row.error) { _ = try NpyArray(parsing: file.span) }
  }

  @Test(
    arguments: [
      ([], "file ends early", 0),
      (Array("PK\u{3}\u{4}".utf8), "not an npy file: wrong magic number", 0),
      ([0x93] + Array("NUMPX".utf8), "not an npy file: wrong magic number", 5),
      ([0x93] + Array("NUMPY".utf8) + [4, 0], "npy version 4.0, wanted 1 to 3", 6),
      (
        [0x93] + Array("NUMPY".utf8) + [2, 0, 255, 255, 255, 255],
        "header of 4294967295 bytes, at most 65536 allowed", 8
      ),
    ] as [([UInt8], String, Int)])
  func `other files are refused`(file: [UInt8], reason: String, offset: Int) {
    #expect(throws: NpyError(reason, offset: offset)) { _ = try NpyArray(parsing: file.span) }
  }

  @Test func `a number of bytes that type and shape do not ask for is refused`() {
    #expect(throws: NpyError("3 bytes for int16 2")) {
      _ = try NpyArray(.int16, [2], bytes: [1, 2, 3])
    }
  }
}
