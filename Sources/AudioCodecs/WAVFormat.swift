// SPDX-License-Identifier: Apache-2.0

/// What the chunk `fmt ` of a WAV file says of its samples.
public struct WAVFormat: Sendable, Hashable {
  /// How samples are stored.
  public let encoding: SampleEncoding
  /// How many channels there are.
  public let channelCount: Int
  /// Frames per second.
  public let sampleRate: Int
  /// How many bits of a sample mean something, the most significant ones.
  public let validBits: Int
  /// The loudspeaker of each channel, as in `WAVEFORMATEXTENSIBLE`; nil for a format without it.
  public let channelMask: UInt32?

  /// The bytes of one sample of each channel.
  public var frameByteCount: Int { encoding.byteCount * channelCount }

  /// The format in the chunk whose contents are `range` of the file.
  init(_ chunk: WAVChunk, in file: Span<UInt8>, _ order: ByteOrder) throws(AudioFileError) {
    let start = chunk.start
    let byteCount = try chunk.count(in: file)
    // WAVEFORMAT, the oldest structure, ends before the bits of a sample.
    guard byteCount >= 14 else {
      throw AudioFileError(.shortChunk("fmt ", byteCount: chunk.byteCount), at: start)
    }
    func field(_ offset: Int, _ size: Int = 2) -> Int {
      Int(truncatingIfNeeded: file.integer(at: start + offset, byteCount: size, order))
    }
    channelCount = field(2)
    sampleRate = field(4, 4)
    guard channelCount > 0 else { throw AudioFileError(.noChannels, at: start + 2) }
    guard sampleRate > 0 else { throw AudioFileError(.sampleRate(0), at: start + 4) }
    let frameByteCount = field(12)
    var bits = byteCount >= 16 ? field(14) : 0
    if bits == 0 { bits = 8 * frameByteCount / channelCount }
    let isExtensible = field(0) == Tag.extensible
    if isExtensible, byteCount < 40 {
      throw AudioFileError(.shortChunk("fmt ", byteCount: chunk.byteCount), at: start)
    }
    let tag = isExtensible ? try Self.tag(ofSubFormatAt: start + 24, in: file, order) : field(0)
    encoding = try Self.encoding(tag: tag, bits: bits, at: start)
    guard frameByteCount == encoding.byteCount * channelCount || frameByteCount == 0 else {
      throw AudioFileError(
        .frameByteCount(frameByteCount, channelCount: channelCount, bitsPerSample: bits),
        at: start + 12)
    }
    let declared = isExtensible ? field(18) : bits
    validBits = declared == 0 ? bits : declared
    guard validBits <= 8 * encoding.byteCount else {
      throw AudioFileError(.validBits(validBits, of: bits), at: start + 18)
    }
    channelMask = isExtensible ? UInt32(truncatingIfNeeded: field(20, 4)) : nil
  }

  /// The tags of encodings in Microsoft's mmreg.h.
  enum Tag {
    static let pcm = 1
    static let float = 3
    static let aLaw = 6
    static let muLaw = 7
    static let extensible = 0xFFFE
  }

  /// How samples of `bits` bits are stored under a tag.
  private static func encoding(
    tag: Int, bits: Int, at start: Int
  ) throws(AudioFileError) -> SampleEncoding {
    switch tag {
    case Tag.pcm where (1...32).contains(bits): return .integer(byteCount: (bits + 7) / 8)
    case Tag.float where bits == 32 || bits == 64: return .float(byteCount: bits / 8)
    case Tag.aLaw where bits == 8: return .aLaw
    case Tag.muLaw where bits == 8: return .muLaw
    case Tag.pcm, Tag.float, Tag.aLaw, Tag.muLaw:
      throw AudioFileError(.bitsPerSample(bits), at: start + 14)
    default: throw AudioFileError(.unsupportedEncoding(tag: tag), at: start)
    }
  }

  /// The tag that begins a sub-format's identifier, one that ends as those made from tags do, or
  /// as those of ambisonic sound.
  ///
  /// These tags fit one byte. In RIFX files, writers differ as to which of the first four bytes has
  /// it, and whether the next two numbers are big-endian: sox puts it second, and leaves the rest as
  /// in RIFF files.
  private static func tag(
    ofSubFormatAt offset: Int, in file: Span<UInt8>, _ order: ByteOrder
  ) throws(AudioFileError) -> Int {
    let middle = file.integer(at: offset + 4, byteCount: 4, .bigEndian)
    let end = file.integer(at: offset + 8, byteCount: 8, .bigEndian)
    let isTag = end == 0x8000_00AA_0038_9B71
    let isAmbisonic = end == 0x8644_C8C1_CA00_0000
    let middles: [UInt64] =
      isTag ? [0x0000_1000, 0x0000_0010] : isAmbisonic ? [0x2107_D311, 0x0721_11D3] : []
    let isBigEndian = order == .bigEndian
    let first = (0..<4).map { Int(file[offset + $0]) }
    guard middles.prefix(isBigEndian ? 2 : 1).contains(middle),
      isBigEndian || first.dropFirst() == [0, 0, 0], first.filter({ $0 != 0 }).count == 1
    else { throw AudioFileError(.unsupportedSubFormat, at: offset) }
    return first.reduce(0, +)
  }
}
