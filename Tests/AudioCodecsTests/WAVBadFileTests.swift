// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import SeededRandom
import Testing

/// Files that are wrong in one position, and files damaged at random.
@Suite struct WAVBadFileTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: [UInt8]

    init(_ error: String, _ file: [UInt8]) {
      testDescription = error
      self.file = file
    }

    init(_ error: String, _ change: (inout WAVWriter) -> Void) {
      var writer = WAVWriter()
      change(&writer)
      self.init(error, writer.file)
    }
  }

  @Test(arguments: rows)
  func isRefused(row: Row) {
    let error = #expect(throws: AudioFileError.self) { try WAV.decode(row.file) }
    #expect(error?.description == row.testDescription)
  }

  static let rows: [Row] = [
    Row("the file ends early at byte 0", []),
    Row("not a WAV file at byte 0") { $0.form = "LIST" },
    Row("not a WAV file at byte 0") { $0.type = "AVI " },
    Row("the file ends early at byte 17", Array(WAVWriter().file.prefix(17))),
    Row("the file ends early at byte 30", Array(WAVWriter().file.prefix(30))),
    Row("no chunk 'fmt ' at byte 12", Array(WAVWriter().file.prefix(12))),
    Row("no chunk 'data' at byte 36", Array(WAVWriter().file.prefix(36))),
    Row("no chunk 'fmt ' at byte 12") { $0.formatByteCount = 0 },
    Row("chunk 'fmt ' of only 13 bytes at byte 20") { $0.formatByteCount = 13 },
    Row("chunk 'fmt ' of only 18 bytes at byte 20") {
      $0.tag = 0xFFFE
      $0.extra = [0, 0]
    },
    Row("no channels at byte 22") { $0.channels = 0 },
    Row("impossible sample rate 0 at byte 24") { $0.rate = 0 },
    Row("frames of 3 bytes for 1 channels of 16 bits at byte 32") { $0.frameByteCount = 3 },
    Row("samples of 33 bits at byte 34") { $0.bits = 33 },
    Row("samples of 16 bits at byte 34") { $0.tag = 3 },
    Row("samples of 16 bits at byte 34") { $0.tag = 7 },
    Row(
      "unsupported encoding 0x11; PCM, IEEE float, A-law and mu-law are read at byte 20"
    ) { $0.tag = 0x11 },
    Row("extensible format with an unknown sub-format at byte 44") {
      $0.tag = 0xFFFE
      $0.extra = Array(repeating: 0, count: 24)
    },
    Row("17 valid bits in samples of 16 bits at byte 38") {
      $0.tag = 0xFFFE
      $0.extra = $0.extensible(tag: 1, validBits: 17, mask: 0)
    },
    Row("6 bytes of samples are declared, but only 4 follow at byte 44") { $0.dataByteCount = 6 },
    Row("chunk 'ds64' of only 4 bytes at byte 20") {
      $0.form = "RF64"
      $0.before = [("ds64", [0, 0, 0, 0])]
    },
    Row("18446744073709551614 bytes of samples are declared, but only 4 follow at byte 80") {
      $0.form = "RF64"
      $0.before = [("ds64", WAVFormatTests.wide(data: -2, table: []))]
      $0.dataByteCount = 0xFFFF_FFFF
    },
  ]

  @Test(arguments: WAVFormatTests.rows)
  func everyCutIsRefusedOrRead(row: WAVFormatTests.Row) throws {
    for count in row.file.indices {
      do {
        let clip = try WAV.decode(Array(row.file.prefix(count)))
        #expect(clip.samples.count <= row.samples.count)
      } catch {
        #expect(error.offset <= count)
      }
    }
  }

  @Test(arguments: WAVFormatTests.rows)
  func flippedBitsAreRefusedOrRead(row: WAVFormatTests.Row) throws {
    var random = SeededRandom(seed: row.file.count)
    var readCount = 0
    for _ in 0..<400 {
      var file = row.file
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: file.indices, using: &random)
        file[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      do {
        let clip = try WAV.decode(file)
        #expect(clip.samples.count <= file.count)
        readCount += 1
      } catch {
        #expect(error.offset <= file.count)
      }
    }
    #expect(readCount > 0, "no damaged file was read at all, so nothing behind the header was")
  }

  @Test func manyChunksTakeLinearTime() {
    var writer = WAVWriter()
    writer.before = Array(repeating: ("abcd", []), count: 20_000)
    let file = writer.file
    let time = ContinuousClock().measure { _ = try? WAV.decode(file) }
    #expect(time < .seconds(20))
  }
}
