// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import Foundation
import Testing

/// Files that sox, ffmpeg and libsndfile wrote, and what other programs read in them.
///
/// `Corpus/make_corpus.py FOLDER` makes them; `MARTLET_AUDIO_CORPUS` names the folder.
@Suite struct WAVCorpusTests {
  static let folder = ProcessInfo.processInfo.environment["MARTLET_AUDIO_CORPUS"]

  struct Line {
    let name: String
    let channels: Int
    let rate: Int
    let frames: Int
  }

  static func lines(_ folder: URL) throws -> [Line] {
    try String(contentsOf: folder.appendingPathComponent("corpus.txt"), encoding: .utf8)
      .split(separator: "\n").map { line in
        let fields = line.split(separator: " ")
        let numbers = try fields[1...3].map { try #require(Int($0)) }
        return Line(
          name: String(fields[0]), channels: numbers[0], rate: numbers[1], frames: numbers[2])
      }
  }

  static let raw: [String: (SampleEncoding, ByteOrder)] = [
    "raw-s16le": (.integer(byteCount: 2), .littleEndian),
    "raw-s16be": (.integer(byteCount: 2), .bigEndian),
    "raw-f32le": (.float(byteCount: 4), .littleEndian),
    "raw-f64be": (.float(byteCount: 8), .bigEndian),
    "raw-s32le": (.integer(byteCount: 4), .littleEndian),
    "raw-u8": (.integer(byteCount: 1), .littleEndian),
  ]

  @Test(.enabled(if: folder != nil, "MARTLET_AUDIO_CORPUS names no folder"))
  func samplesAgree() throws {
    let folder = URL(fileURLWithPath: try #require(Self.folder))
    let lines = try Self.lines(folder)
    #expect(lines.count >= 200)
    for line in lines {
      let raw = Self.raw[line.name]
      let url = folder.appendingPathComponent(line.name + (raw == nil ? ".wav" : ".raw"))
      let bytes = [UInt8](try Data(contentsOf: url))
      let clip =
        if let raw {
          try RawSamples(
            raw.0, order: raw.1, channelCount: line.channels, sampleRate: line.rate
          ).decode(bytes)
        } else { try WAV.decode(bytes) }
      #expect(
        clip.channelCount == line.channels && clip.sampleRate == line.rate
          && clip.frameCount == line.frames, "\(line.name)")
      let expected = try RawSamples(.float(byteCount: 4), sampleRate: 1).decode(
        [UInt8](Data(contentsOf: folder.appendingPathComponent(line.name + ".f32"))))
      #expect(clip.samples == expected.samples, "\(line.name)")
    }
  }
}
