// SPDX-License-Identifier: Apache-2.0

import AudioTasks
public import Foundation
import MediaPipeTasksCommon

/// The newest samples of a recording.
///
/// There is no microphone here: whoever has samples gives them to `record(_:)`, for instance as
/// another program writes them.
public final class AudioRecord: NSObject, @unchecked Sendable {
  /// The channels and the rate of the samples.
  public let audioDataFormat: AudioDataFormat
  /// The number of samples, of all channels, that are kept.
  public let bufferLength: UInt
  private let lock = NSLock()
  /// Samples one by one, whatever their channel; nil without room for any.
  ///
  /// Only touched under the lock, as all below.
  private var ring: AudioRingBuffer?
  private var isRecording = false
  private var hasSamples = false

  /// The most channels.
  private static let channelLimit: UInt = 2

  /// A record that has not begun.
  ///
  /// - Throws: `NSError` for less than 1 or more than 2 channels, and for a length that is no
  ///   multiple of their number.
  public init(audioDataFormat: AudioDataFormat, bufferLength: UInt) throws {
    let channels = audioDataFormat.channelCount
    guard (1...Self.channelLimit).contains(channels) else {
      throw TasksErrorCode.invalidArgumentError.error(
        "The channel count provided does not match the supported channel count. Only channels counts in the range [1 : \(Self.channelLimit)] are supported"
      )
    }
    guard bufferLength % channels == 0 else {
      throw TasksErrorCode.invalidArgumentError.error(
        "The buffer length provided (\(bufferLength)) is not a multiple of channel count(\(channels))."
      )
    }
    self.audioDataFormat = audioDataFormat
    self.bufferLength = bufferLength
    ring = try? AudioRingBuffer(frameCount: Int(clamping: bufferLength))
  }

  /// Begins to keep the samples that `record(_:)` gets.
  ///
  /// - Throws: `NSError` where the record has begun.
  public func startRecording() throws {
    lock.lock()
    defer { lock.unlock() }
    guard !isRecording else {
      throw TasksErrorCode.audioRecordNotTappingMicError.error(
        "Recording of microphone samples is already in progress. You can stop recording using `stopRecording()`."
      )
    }
    isRecording = true
  }

  /// Ends the record and forgets its samples.
  public func stop() throws {
    lock.lock()
    defer { lock.unlock() }
    isRecording = false
    hasSamples = false
    ring?.clear()
  }

  /// Takes samples instead of the oldest ones, as a microphone delivers them (an addition).
  ///
  /// Before `startRecording()`, they are not kept.
  ///
  /// - Parameter samples: any number of frames; of two channels, the samples alternate.
  public func record(_ samples: [Float]) {
    lock.lock()
    defer { lock.unlock() }
    guard isRecording else { return }
    ring.take(samples)
    hasSamples = hasSamples || !samples.isEmpty
  }

  /// A part of the samples, the oldest first.
  ///
  /// - Throws: `NSError` where the record has not begun, has no samples yet, or the part reaches
  ///   beyond its length.
  public func read(offset: UInt, length: UInt) throws -> MPPFloatBuffer {
    lock.lock()
    defer { lock.unlock() }
    guard isRecording else {
      throw TasksErrorCode.audioRecordNotTappingMicError.error(
        "Recording of microphone samples is not in progress. You can start recording microphone samples using `startRecording()`."
      )
    }
    guard hasSamples else {
      throw TasksErrorCode.audioRecordWaitingForNewMicInputError.error(
        "The record has no samples yet.")
    }
    return MPPFloatBuffer(Array(try ring.samples.part(offset, length, of: "length")))
  }
}
