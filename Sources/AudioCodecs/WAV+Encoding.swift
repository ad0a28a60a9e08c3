// SPDX-License-Identifier: Apache-2.0

extension WAV {
  /// How samples are written.
  public enum OutputEncoding: Sendable, Hashable {
    /// 16-bit integers: samples times 32768, rounded to the nearest, ties away from zero, and
    /// limited to what 16 bits can hold; what is not a number becomes 0.
    case integer16
    /// 32-bit IEEE numbers, unchanged.
    case float32

    var sample: SampleEncoding {
      switch self {
      case .integer16: .integer(byteCount: 2)
      case .float32: .float(byteCount: 4)
      }
    }
  }

  /// The structure around the samples.
  public enum Container: Sendable, Hashable {
    /// RIFF, for up to 4 GiB.
    case riff
    /// RF64, for more.
    case rf64
  }

  /// The bytes of a WAV file of a clip, little-endian.
  ///
  /// More than two channels are written as `WAVE_FORMAT_EXTENSIBLE` without loudspeakers.
  ///
  /// - Parameters:
  ///   - clip: The samples.
  ///   - encoding: How they are written.
  ///   - container: The structure around them; nil for RIFF where it can hold them.
  /// - Returns: The bytes of the file.
  /// - Throws: `AudioFileError` for more channels, a higher rate or more samples than a file can
  ///   have; its offset is that of the header field.
  public static func encode(
    _ clip: AudioClip, as encoding: OutputEncoding = .integer16, container: Container? = nil
  ) throws(AudioFileError) -> [UInt8] {
    guard clip.channelCount * encoding.sample.byteCount <= 65535 else {
      throw AudioFileError(.tooManyChannels(clip.channelCount), at: 22)
    }
    guard clip.sampleRate <= UInt32.max else {
      throw AudioFileError(.sampleRate(clip.sampleRate), at: 24)
    }
    let dataByteCount = clip.samples.count * encoding.sample.byteCount
    // Headers have less than 128 bytes.
    let isWide = dataByteCount > Int(UInt32.max) - 128
    guard container != .riff || !isWide else { throw AudioFileError(.tooLongForContainer, at: 4) }
    let usesRF64 = container == .rf64 || isWide
    var file: [UInt8] = []
    let before = description(of: clip, encoding)
    let contents = 4 + (usesRF64 ? 36 : 0) + before.count + 8 + dataByteCount + dataByteCount % 2
    file.reserveCapacity(contents + 8)
    file += Array((usesRF64 ? "RF64" : "RIFF").utf8)
    file.append(usesRF64 ? Int(WAVChunks.unknownSize) : contents, byteCount: 4)
    file += Array("WAVE".utf8)
    if usesRF64 {
      file += Array("ds64".utf8)
      for (value, size) in [(28, 4), (contents, 8), (dataByteCount, 8), (clip.frameCount, 8)] {
        file.append(value, byteCount: size)
      }
      file.append(0, byteCount: 4)
    }
    file += before
    file += Array("data".utf8)
    file.append(usesRF64 ? Int(WAVChunks.unknownSize) : dataByteCount, byteCount: 4)
    append(clip.samples, encoding, to: &file)
    if dataByteCount % 2 == 1 { file.append(0) }
    return file
  }

  /// The chunk `fmt ` and, for numbers that are no integers, the chunk `fact`.
  private static func description(of clip: AudioClip, _ encoding: OutputEncoding) -> [UInt8] {
    let isFloat = encoding == .float32
    let isExtensible = clip.channelCount > 2
    let tag = isFloat ? WAVFormat.Tag.float : WAVFormat.Tag.pcm
    let frame = clip.channelCount * encoding.sample.byteCount
    let bits = 8 * encoding.sample.byteCount
    var bytes = Array("fmt ".utf8)
    bytes.append(isExtensible ? 40 : isFloat ? 18 : 16, byteCount: 4)
    bytes.append(isExtensible ? WAVFormat.Tag.extensible : tag, byteCount: 2)
    bytes.append(clip.channelCount, byteCount: 2)
    bytes.append(clip.sampleRate, byteCount: 4)
    // The rate of bytes is only a hint, and has 32 bits.
    bytes.append(min(clip.sampleRate * frame, Int(UInt32.max)), byteCount: 4)
    bytes.append(frame, byteCount: 2)
    bytes.append(bits, byteCount: 2)
    if isExtensible {
      bytes.append(22, byteCount: 2)
      bytes.append(bits, byteCount: 2)
      bytes.append(0, byteCount: 4)
      bytes.append(tag, byteCount: 4)
      bytes += [0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    } else if isFloat {
      bytes.append(0, byteCount: 2)
    }
    if isFloat {
      bytes += Array("fact".utf8)
      bytes.append(4, byteCount: 4)
      bytes.append(min(clip.frameCount, Int(UInt32.max)), byteCount: 4)
    }
    return bytes
  }

  private static func append(
    _ samples: [Float], _ encoding: OutputEncoding, to file: inout [UInt8]
  ) {
    switch encoding {
    case .integer16:
      for sample in samples { file.append(Int(integer16(sample)), byteCount: 2) }
    case .float32:
      for sample in samples { file.append(Int(sample.bitPattern), byteCount: 4) }
    }
  }

  /// A sample as the 16-bit integer that `OutputEncoding.integer16` describes.
  package static func integer16(_ sample: Float) -> Int16 {
    sample.isNaN ? 0 : Int16(max(-32768, min(32767, (sample * 32768).rounded())))
  }
}

extension [UInt8] {
  /// Appends the low bytes of a number, the least significant first.
  mutating func append(_ value: Int, byteCount: Int) {
    for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}
