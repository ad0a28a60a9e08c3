// SPDX-License-Identifier: Apache-2.0

import AudioTasks
public import Foundation
import MediaPipeTasksCommon

/// The newest samples of a sound, as many as there is room for; silence before the first.
public final class AudioData: NSObject {
  /// The channels and the rate of the samples.
  public let format: AudioDataFormat
  /// Samples one by one, whatever their channel; nil without room for any.
  private var ring: AudioRingBuffer?

  /// Silence of so many frames, which `load(buffer:offset:length:)` replaces.
  public init(format: AudioDataFormat, sampleCount: UInt) {
    self.format = format
    let (length, overflows) = sampleCount.multipliedReportingOverflow(by: format.channelCount)
    ring = try? AudioRingBuffer(frameCount: overflows ? 0 : Int(clamping: length))
  }

  /// The samples, the oldest first; of several channels, they alternate.
  public var buffer: MPPFloatBuffer { MPPFloatBuffer(ring.samples) }

  /// The number of frames.
  public var bufferLength: UInt {
    format.channelCount == 0 ? 0 : UInt(ring?.frameCount ?? 0) / format.channelCount
  }

  /// Takes a part of a buffer's samples instead of the oldest ones.
  ///
  /// - Throws: `NSError` where the part reaches beyond the buffer.
  public func load(buffer: MPPFloatBuffer, offset: UInt, length: UInt) throws {
    ring.take(try buffer.samples.part(offset, length, of: "floatBuffer.length"))
  }

  /// Takes what a record has recorded.
  ///
  /// - Throws: `NSError` where its format is another, and where it does not record.
  public func load(audioRecord: AudioRecord) throws {
    guard audioRecord.audioDataFormat == format else {
      throw TasksErrorCode.invalidArgumentError.error(
        "The provided audio record has incompatible audio format")
    }
    ring.take(try audioRecord.read(offset: 0, length: audioRecord.bufferLength).samples)
  }

  /// The samples as audio tasks take them.
  ///
  /// - Throws: `NSError` for a rate or a number of channels that no sound has.
  func clip() throws(NSError) -> AudioClip {
    guard let rate = Int(exactly: format.sampleRate.rounded()), (1...1 << 24).contains(rate),
      (1...1 << 16).contains(format.channelCount)
    else {
      throw TasksErrorCode.invalidArgumentError.status(
        "no sound has \(format.channelCount) channels and \(format.sampleRate) frames a second")
    }
    return AudioClip(
      samples: ring.samples, channelCount: Int(format.channelCount), sampleRate: rate)
  }
}
