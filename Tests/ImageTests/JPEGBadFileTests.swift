// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Testing

/// Files that are wrong in one position, and what is said about them.
@Suite struct JPEGBadFileTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]

    init(_ error: String, _ file: [UInt8]) {
      testDescription = error
      self.file = file
    }
  }

  @Test(arguments: starts + frames + tables + scans + progressions + data)
  func isRefused(row: Row) {
    let error = #expect(throws: JPEGError.self) { try JPEG.decode(row.file) }
    #expect(error?.description == row.testDescription)
  }

  private static let start = JPEGWriter.start
  private static let end = JPEGWriter.end
  private static let grey = JPEGWriter.grey
  /// Start, tables and frame of a grey image: 2 + 69 + 305 + 13 bytes.
  private static let opening = start + JPEGWriter.tables + grey.frame
  private static let blocks = JPEGWriter.blocks([1])

  private static func frame(_ change: (inout JPEGWriter) -> Void) -> [UInt8] {
    var writer = grey
    change(&writer)
    return start + writer.frame + writer.scan() + blocks + end
  }

  static let starts: [Row] = [
    Row("the file ends early at byte 0", []),
    Row("not a JPEG file at byte 0", Array("GIF89a".utf8)),
    Row("not a JPEG file at byte 0", [0xFF, 0xC0]),
    Row("the file ends early at byte 2", start),
    Row("the file ends early at byte 5", start + [0xFF, 0xE0, 0]),
    Row("the file ends early at byte 8", start + [0xFF, 0xE0, 0, 9, 1, 2]),
    Row("impossible length 1 of segment APP0 at byte 2", start + [0xFF, 0xE0, 0, 1]),
    Row("no frame header (SOF) at byte 2", start + end),
    Row("no frame header (SOF) at byte 2", start + grey.scan()),
    Row("misplaced marker SOI at byte 2", start + start),
    Row("unknown marker 0xFFF0 at byte 2", start + JPEGWriter.segment(0xF0, [])),
    Row("impossible length 3 of segment DRI at byte 2", start + JPEGWriter.segment(0xDD, [1])),
  ]

  static let frames: [Row] = [
    Row("unsupported coding process SOF3 (lossless) at byte 2", frame { $0.process = 3 }),
    Row("unsupported coding process SOF5 (hierarchical) at byte 2", frame { $0.process = 5 }),
    Row("unsupported coding process SOF9 (arithmetic coding) at byte 2", frame { $0.process = 9 }),
    Row("unsupported precision of 12 bits, wanted 8 at byte 2", frame { $0.precision = 12 }),
    Row("impossible size 0x8 at byte 2", frame { $0.width = 0 }),
    Row("impossible size 8x0 at byte 2", frame { $0.height = 0 }),
    Row("0 components, wanted 1, 3 or 4 at byte 2", frame { $0.components = [] }),
    Row(
      "2 components, wanted 1, 3 or 4 at byte 2",
      frame { $0.components = [.init(identifier: 1), .init(identifier: 2)] }),
    Row(
      "unknown or repeated component 7 at byte 2",
      frame { $0.components = Array(repeating: .init(identifier: 7), count: 3) }),
    Row("impossible sampling factor 0 at byte 2", frame { $0.components[0].vertical = 0 }),
    Row("impossible sampling factor 5 at byte 2", frame { $0.components[0].horizontal = 5 }),
    Row("impossible length 2 of segment SOF0 at byte 2", start + JPEGWriter.segment(0xC0, [])),
    Row("misplaced marker SOF0 at byte 389", opening + grey.frame),
  ]

  static let tables: [Row] = [
    Row("malformed quantization table 4 at byte 2", start + JPEGWriter.segment(0xDB, [4])),
    Row("malformed quantization table 0 at byte 2", start + JPEGWriter.segment(0xDB, [0x20])),
    Row("impossible length 4 of segment DQT at byte 2", start + JPEGWriter.segment(0xDB, [0, 1])),
    Row("impossible length 4 of segment DHT at byte 2", start + JPEGWriter.segment(0xC4, [0, 1])),
    Row(
      "malformed Huffman table 0 at byte 2",
      start
        + JPEGWriter.segment(0xC4, [0, 3] + Array(repeating: 0, count: 15) + [1, 2, 3])),
    Row(
      "malformed Huffman table 1 at byte 2",
      start + JPEGWriter.segment(0xC4, [1, 1] + Array(repeating: 0, count: 15) + [16])),
    Row(
      "malformed Huffman table 4 at byte 2",
      start + JPEGWriter.segment(0xC4, [4, 1] + Array(repeating: 0, count: 15) + [1])),
    Row(
      "missing quantization table 0 at byte 320",
      start + JPEGWriter.huffman + grey.frame + grey.scan() + blocks + end),
    Row(
      "missing Huffman table 2 at byte 389",
      opening + JPEGWriter.segment(0xDA, [1, 1, 0x20, 0, 63, 0]) + blocks + end),
  ]

  static let scans: [Row] = [
    Row("impossible length 2 of segment SOS at byte 389", opening + JPEGWriter.segment(0xDA, [])),
    Row("unknown or repeated component 9 at byte 389", opening + grey.scan([9])),
    Row("unknown or repeated component 1 at byte 389", opening + grey.scan([1, 1])),
    Row("no scan for component 1 at byte 389", opening + end),
    Row(
      "a scan out of order at byte 401",
      opening + grey.scan() + blocks + grey.scan() + blocks + end),
    Row("the file ends early at byte 401", opening + grey.scan() + blocks),
  ]

  private static let progressive: JPEGWriter = {
    var writer = grey
    writer.process = 2
    return writer
  }()
  private static let progressiveOpening = start + JPEGWriter.tables + progressive.frame

  static let progressions: [Row] = [
    Row(
      "impossible coefficients or bit positions of a scan at byte 389",
      progressiveOpening + progressive.scan() + blocks + end),
    Row(
      "impossible coefficients or bit positions of a scan at byte 389",
      progressiveOpening + progressive.scan(first: 5, last: 4) + blocks + end),
    Row(
      "impossible coefficients or bit positions of a scan at byte 389",
      progressiveOpening + progressive.scan(last: 0, bits: 0x31) + blocks + end),
    Row(
      "a scan out of order at byte 389",
      progressiveOpening + progressive.scan(first: 1, last: 5) + blocks + end),
    Row(
      "a scan out of order at byte 389",
      progressiveOpening + progressive.scan(last: 0, bits: 0x21) + blocks + end),
    Row(
      "a scan out of order at byte 401",
      progressiveOpening + progressive.scan(last: 0) + blocks + progressive.scan(last: 0) + blocks),
  ]

  private static func bits(_ write: (inout JPEGBits) -> Void) -> [UInt8] {
    var bits = JPEGBits()
    write(&bits)
    return bits.bytes
  }

  /// The compressed data begins at byte 399.
  static let data: [Row] = [
    Row("compressed data ends early at marker EOI at byte 399", grey.file(data: [])),
    Row("compressed data ends early at marker RST3 at byte 399", grey.file(data: [0xFF, 0xD3])),
    Row(
      "bad Huffman code at byte 399",
      grey.file(data: bits { $0.put(0xF000, count: 16) })),
    Row(
      "a block of more than 64 coefficients at byte 403",
      grey.file(
        data: bits {
          $0.first(0)
          for _ in 0..<3 { $0.symbol(0xF0) }
          $0.symbol(0xF1)
          $0.put(0, count: 24)
        })),
    Row(
      "marker EOI instead of RST0 at byte 407",
      start + JPEGWriter.tables + JPEGWriter.segment(0xDD, [0, 1])
        + JPEGWriter(width: 16, height: 8).frame + grey.scan() + blocks + end),
  ]
}
