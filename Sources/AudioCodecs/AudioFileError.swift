// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not a sound that can be read, or a sound cannot be written.
public struct AudioFileError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The first bytes are not those of a WAV file.
    case notWAV
    /// The file ends before something that it must contain.
    case truncated
    /// There is no chunk of this name before the end of the file.
    case missingChunk(String)
    /// A chunk is shorter than its contents.
    case shortChunk(String, byteCount: UInt64)
    /// The data are said to be longer than the file.
    case dataBeyondEnd(declared: UInt64, available: Int)
    /// Samples are stored in a way that is not supported; the number is the format's tag.
    case unsupportedEncoding(tag: Int)
    /// The sub-format of an extensible format is not a known one.
    case unsupportedSubFormat
    /// The encoding has no samples of this many bits.
    case bitsPerSample(Int)
    /// A frame of this many bytes cannot hold the channels.
    case frameByteCount(Int, channelCount: Int, bitsPerSample: Int)
    /// More bits of a sample are said to be valid than there are.
    case validBits(Int, of: Int)
    /// There are no channels.
    case noChannels
    /// The sample rate is 0, or no whole number that fits.
    case sampleRate(Int)
    /// Reading would take more memory than `Limits.audioByteCount`.
    case tooLarge(byteCount: UInt64, limit: Int)
    /// Raw samples end within a frame.
    case partialFrame(byteCount: Int, frameByteCount: Int)
    /// A sound has more channels than a WAV file can have.
    case tooManyChannels(Int)
    /// A sound is longer than the chosen container can say.
    case tooLongForContainer
  }

  /// What is wrong.
  public let reason: Reason
  /// The byte of the file at which it was found.
  public let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension AudioFileError: CustomStringConvertible {
  /// One line, such as `the file ends early at byte 41`.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension AudioFileError.Reason: CustomStringConvertible {
  /// What is wrong, without its location.
  public var description: String {
    switch self {
    case .notWAV: "not a WAV file"
    case .truncated: "the file ends early"
    case .missingChunk(let name): "no chunk '\(name)'"
    case .shortChunk(let name, let byteCount): "chunk '\(name)' of only \(byteCount) bytes"
    case .dataBeyondEnd(let declared, let available):
      "\(declared) bytes of samples are declared, but only \(available) follow"
    case .unsupportedEncoding(let tag):
      "unsupported encoding 0x\(String(tag, radix: 16)); PCM, IEEE float, A-law and mu-law are read"
    case .unsupportedSubFormat: "extensible format with an unknown sub-format"
    case .bitsPerSample(let bits): "samples of \(bits) bits"
    case .frameByteCount(let byteCount, let channels, let bits):
      "frames of \(byteCount) bytes for \(channels) channels of \(bits) bits"
    case .validBits(let valid, let bits): "\(valid) valid bits in samples of \(bits) bits"
    case .noChannels: "no channels"
    case .sampleRate(let rate): "impossible sample rate \(rate)"
    case .tooLarge(let byteCount, let limit):
      "the samples take \(byteCount) bytes, more than the limit of \(limit)"
    case .partialFrame(let byteCount, let frame):
      "\(byteCount) bytes are no whole number of frames of \(frame) bytes"
    case .tooManyChannels(let count): "\(count) channels, and a WAV file has at most 65535"
    case .tooLongForContainer: "more than 4 GiB of samples need RF64"
    }
  }
}
