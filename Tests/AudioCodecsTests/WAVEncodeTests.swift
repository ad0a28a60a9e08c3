// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import Testing

/// Written files, byte by byte and read again.
@Suite struct WAVEncodeTests {
  @Test func headerOfIntegers() throws {
    let file = try WAV.encode(AudioClip(samples: [0.5, -1], channelCount: 2, sampleRate: 16_000))
    #expect(file.count == 48)
    #expect(
      file
        == Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8)
        + [16, 0, 0, 0, 1, 0, 2, 0, 0x80, 0x3E, 0, 0, 0, 0xFA, 0, 0, 4, 0, 16, 0]
        + Array("data".utf8) + [4, 0, 0, 0, 0, 0x40, 0, 0x80])
  }

  @Test func everyIntegerComesBack() throws {
    let samples = (-32768...32767).map { Float($0) / 32768 }
    let clip = AudioClip(samples: samples, sampleRate: 8000)
    #expect(try WAV.decode(WAV.encode(clip)) == clip)
  }

  @Test func integersAreRoundedAndLimited() throws {
    let samples: [Float] = [2, -2, 1, .nan, .infinity, -.infinity, 0.5 / 32768, 0.49 / 32768]
    let file = try WAV.encode(AudioClip(samples: samples, sampleRate: 8000))
    let integers: [Float] = [32767, -32768, 32767, 0, 32767, -32768, 1, 0]
    #expect(try WAV.decode(file).samples == integers.map { $0 / 32768 })
  }

  @Test(arguments: [1, 2, 3, 7], [WAV.OutputEncoding.integer16, .float32])
  func comesBack(channels: Int, encoding: WAV.OutputEncoding) throws {
    for container in [nil, WAV.Container.riff, .rf64] {
      let samples = (0..<channels * 5).map { Float($0) / 64 - 0.25 }
      let clip = AudioClip(samples: samples, channelCount: channels, sampleRate: 44_100)
      let file = try WAV.encode(clip, as: encoding, container: container)
      #expect(try WAV.decode(file) == clip)
      let summary = try WAV.summary(of: file.span)
      #expect(summary.announcedFrameCount == (encoding == .float32 ? 5 : nil))
      #expect((summary.format.channelMask != nil) == (channels > 2))
      #expect(summary.data.upperBound == file.count)
    }
  }

  @Test func whatAFileCannotHoldIsRefused() {
    let wide = AudioClip(
      samples: Array(repeating: 0, count: 32768), channelCount: 32768, sampleRate: 1)
    #expect(throws: AudioFileError.self) { try WAV.encode(wide) }
    let fast = AudioClip(samples: [], sampleRate: 1 << 32)
    #expect(throws: AudioFileError.self) { try WAV.encode(fast) }
  }

  @Test func rawSamples() throws {
    let integers = RawSamples(.integer(byteCount: 2), channelCount: 2, sampleRate: 16_000)
    #expect(try integers.decode([0, 0x40, 0, 0x80]).samples == [0.5, -1])
    let error = #expect(throws: AudioFileError.self) { try integers.decode([1, 2, 3, 4, 5]) }
    #expect(
      error?.description == "5 bytes are no whole number of frames of 4 bytes at byte 5")
    let floats = RawSamples(.float(byteCount: 4), order: .bigEndian, sampleRate: 8000)
    #expect(try floats.decode([0x3F, 0, 0, 0]).samples == [0.5])
  }
}
