// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import ResourceLimits
import Testing

/// Samples of each encoding, written down by hand.
@Suite struct WAVFormatTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]
    var samples: [Float]

    init(_ name: String, _ samples: [Float], _ change: (inout WAVWriter) -> Void) {
      testDescription = name
      self.samples = samples
      var writer = WAVWriter()
      change(&writer)
      file = writer.file
    }
  }

  @Test(arguments: rows)
  func samples(row: Row) throws {
    #expect(try WAV.decode(row.file).samples == row.samples)
  }

  static let rows: [Row] = [
    Row("16 bits", [0.5, -0.5, -1, 32767 / 32768]) {
      $0.data = [0, 0x40, 0, 0xC0, 0, 0x80, 0xFF, 0x7F]
    },
    Row("16 bits, big-endian", [0.5, -1 / 32768]) {
      $0.form = "RIFX"
      $0.data = [0x40, 0, 0xFF, 0xFF]
    },
    Row("8 bits are unsigned", [-1, 0, 127 / 128]) {
      $0.bits = 8
      $0.data = [0, 128, 255]
    },
    Row("24 bits", [0.5, -1, -1 / 8_388_608, 1 / 8_388_608]) {
      $0.bits = 24
      $0.data = [0, 0, 0x40, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 1, 0, 0]
    },
    Row("32 bits", [-0.5, 1 / 2_147_483_648]) {
      $0.bits = 32
      $0.data = [0, 0, 0, 0xC0, 1, 0, 0, 0]
    },
    Row("12 bits lie at the top of 16", [0.5]) {
      $0.bits = 12
      $0.data = [0, 0x40]
    },
    Row("floats stay, also large ones", [1.5, -0.25]) {
      $0.tag = 3
      $0.bits = 32
      $0.data = [0, 0, 0xC0, 0x3F, 0, 0, 0x80, 0xBE]
    },
    Row("doubles are rounded", [1.5, 0.1, .infinity]) {
      $0.tag = 3
      $0.bits = 64
      $0.data = [1.5, 0.1, 1e300].flatMap { value in
        (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
      }
    },
    // Table 1a of G.711: the ends, and the values next to 0.
    Row("A-law", [-8 / 32768, 8 / 32768, -32256 / 32768, 32256 / 32768]) {
      $0.tag = 6
      $0.bits = 8
      $0.data = [0x55, 0xD5, 0x2A, 0xAA]
    },
    Row("mu-law", [0, 0, -32124 / 32768, 32124 / 32768, -8 / 32768]) {
      $0.tag = 7
      $0.bits = 8
      $0.data = [0x7F, 0xFF, 0x00, 0x80, 0x7E]
    },
    Row("extensible PCM with 20 of 24 bits", [0.5]) {
      $0.tag = 0xFFFE
      $0.bits = 24
      $0.extra = $0.extensible(tag: 1, validBits: 20, mask: 4)
      $0.data = [0, 0, 0x40]
    },
    Row("extensible float, big-endian", [1]) {
      $0.form = "RIFX"
      $0.tag = 0xFFFE
      $0.bits = 32
      $0.extra = $0.extensible(tag: 3, validBits: 32, mask: 4)
      $0.data = [0x3F, 0x80, 0, 0]
    },
    Row("unknown chunks of odd length", [0.5, -0.5]) {
      $0.before = [("LIST", [1, 2, 3]), ("fact", [1]), ("abcd", [])]
    },
    Row("a format without the bits of a sample", [0.5, -0.5]) { $0.formatByteCount = 14 },
    Row("no samples, and a chunk after them", []) {
      $0.data = []
      $0.after = $0.chunk("LIST", [1, 2])
    },
    Row("bytes after the last frame", [0.5]) { $0.data = [0, 0x40, 7] },
    Row("size 0xFFFFFFFF of ffmpeg's pipes", [0.5, -0.5]) {
      $0.formByteCount = 0xFFFF_FFFF
      $0.dataByteCount = 0xFFFF_FFFF
    },
    Row("sizes 0", [0.5, -0.5]) {
      $0.formByteCount = 0
      $0.dataByteCount = 0
    },
    Row("size 0x7F000024 of sox's pipes", [0.5, -0.5]) { $0.dataByteCount = 0x7F00_0000 },
    Row("RF64", [0.5]) {
      $0.form = "RF64"
      $0.before = [("ds64", wide(data: 2, table: []))]
      $0.dataByteCount = 0xFFFF_FFFF
    },
    Row("BW64 with a chunk whose size is in the table", [0.5]) {
      $0.form = "BW64"
      $0.before = [("ds64", wide(data: 2, table: [("axml", 6)]))]
      $0.unsized = ("axml", [1, 2, 3, 4, 5, 6])
      $0.dataByteCount = 0xFFFF_FFFF
    },
  ]

  /// The contents of a chunk `ds64`.
  static func wide(data: Int, table: [(name: String, byteCount: Int)]) -> [UInt8] {
    let writer = WAVWriter()
    return writer.number(0, 8) + writer.number(data, 8) + writer.number(1, 8)
      + writer.number(table.count, 4)
      + table.flatMap { Array($0.name.utf8) + writer.number($0.byteCount, 8) }
  }

  @Test func summaryTellsTheFormat() throws {
    var writer = WAVWriter(tag: 0xFFFE, channels: 2, rate: 44_100, bits: 24)
    writer.extra = writer.extensible(tag: 1, validBits: 20, mask: 3)
    writer.before = [("fact", [9, 0, 0, 0])]
    writer.data = Array(repeating: 0, count: 13)
    let summary = try WAV.summary(of: writer.file.span)
    #expect(summary.format.encoding == .integer(byteCount: 3))
    #expect(summary.format.encoding.description == "24-bit PCM")
    #expect(summary.format.channelCount == 2 && summary.format.sampleRate == 44_100)
    #expect(summary.format.validBits == 20 && summary.format.channelMask == 3)
    #expect(summary.frameCount == 2 && summary.announcedFrameCount == 9)
    #expect(summary.data == 80..<93)
  }

  @Test func clipsGiveChannelsAndParts() throws {
    var writer = WAVWriter(channels: 2, rate: 4)
    writer.data = [0, 0x40, 0, 0xC0, 0, 0x20, 0, 0xE0, 0, 0, 0, 1]
    let clip = try WAV.decode(writer.file)
    #expect(clip.frameCount == 3 && clip.duration == 0.75)
    #expect(clip.channel(0) == [0.5, 0.25, 0] && clip.channel(1) == [-0.5, -0.25, 1 / 128])
    #expect(clip.frames(1..<2).samples == [0.25, -0.25])
  }

  @Test func memoryIsLimited() {
    let error = #expect(throws: AudioFileError.self) {
      try WAV.decode(WAVWriter().file, limits: Limits(audioByteCount: 7))
    }
    #expect(
      error?.description == "the samples take 8 bytes, more than the limit of 7 at byte 44")
  }
}
