// SPDX-License-Identifier: Apache-2.0

import AudioTasks
public import Foundation
import MediaPipeTasksCommon
import ModelTasks

/// Says what sounds are heard.
///
/// Any thread may use it; clips are classified one after another.
public final class AudioClassifier: NSObject, OptionsTask, @unchecked Sendable {
  private let mode: RunningMode
  private let engine: TaskEngine<AudioTasks.AudioClassifier>
  private let stream: AudioStream
  private weak var delegate: (any AudioClassifierStreamDelegate)?
  private let lock = NSLock()
  /// Only touched under the lock.
  private var isClosed = false

  /// A classifier.
  ///
  /// - Throws: `NSError` where the options are wrong, there is no such model, or it is no audio
  ///   classifier.
  public init(options: AudioClassifierOptions) throws {
    mode = options.runningMode
    delegate = options.audioClassifierStreamDelegate
    let hasDelegate = options.audioClassifierStreamDelegate != nil
    guard hasDelegate == (mode == .audioStream) else {
      throw TasksErrorCode.invalidArgumentError.error(
        hasDelegate
          ? "The audio task is in audio clips mode. The delegate must not be set in the task's options."
          : "The audio task is in audio stream mode. An object must be set as the delegate of the task in its options to ensure asynchronous delivery of results."
      )
    }
    var settings = AudioTasks.AudioClassifier.Options()
    settings.classes = try options.classes()
    let model = try options.baseOptions.model()
    engine = TaskEngine(
      try TasksErrorCode.hearing { () throws(AudioTaskError) in
        try AudioTasks.AudioClassifier(model, options: settings)
      })
    stream = AudioStream(engine)
  }

  /// What is heard in a clip of any length, window by window.
  ///
  /// - Throws: `NSError` in another mode than that of clips, of a closed classifier, and where the
  ///   model fails on the clip.
  public func classify(audioClip: AudioData) throws -> AudioClassifierResult {
    try check(.audioClips, "audio clips")
    let clip = try audioClip.clip()
    return try engine.run { (classifier, time) throws(NSError) in
      let windows = try TasksErrorCode.hearing { () throws(AudioTaskError) in
        try classifier.classify(clip)
      }
      return AudioClassifierResult(
        classificationResults: windows.map {
          ClassificationResult($0.heads, timestampInMilliseconds: $0.milliseconds)
        }, timestampInMilliseconds: time)
    }
  }

  /// Takes the next block of a stream; the delegate gets what is heard in each complete window.
  ///
  /// - Parameters:
  ///   - audioBlock: the block.
  ///   - timestampInMilliseconds: when it begins, later than the one before. The times of results
  ///     count from that of the first block.
  /// - Throws: `NSError` in another mode than that of streams, of a closed classifier, where the time
  ///   is not after that of the block before, and for blocks of different rates.
  public func classifyAsync(audioBlock: AudioData, timestampInMilliseconds: Int) throws {
    try check(.audioStream, "audio stream mode")
    try stream.send(audioBlock, at: timestampInMilliseconds, deliver: delivery)
  }

  /// Ends the use of the classifier.
  ///
  /// Waits until all blocks are classified, with what is left of a stream as its last window; the
  /// delegate may get the last results after this returns, as long as the classifier is kept.
  ///
  /// - Throws: `NSError` of a closed classifier.
  public func close() throws {
    lock.lock()
    let wasClosed = isClosed
    isClosed = true
    lock.unlock()
    if wasClosed { throw Self.notRunning }
    if mode == .audioStream { stream.finish(deliver: delivery) }
  }

  /// A record of so many channels and frames a second that keeps so many samples.
  ///
  /// - Throws: `NSError` for less than 1 or more than 2 channels, and for a length that is no
  ///   multiple of their number.
  public class func createAudioRecord(
    channelCount: UInt, sampleRate: Double, bufferLength: UInt
  ) throws -> AudioRecord {
    try AudioRecord(
      audioDataFormat: AudioDataFormat(channelCount: channelCount, sampleRate: sampleRate),
      bufferLength: bufferLength)
  }

  private var delivery: AudioStream.Delivery {
    { [weak self] outcome, time in
      guard let self else { return }
      switch outcome {
      case .success(let result):
        delegate?.audioClassifier(
          self, didFinishClassification: result, timestampInMilliseconds: time, error: nil)
      case .failure(let error):
        delegate?.audioClassifier(
          self, didFinishClassification: nil, timestampInMilliseconds: time, error: error)
      }
    }
  }

  private func check(_ wanted: RunningMode, _ name: String) throws(NSError) {
    guard mode == wanted else {
      throw TasksErrorCode.invalidArgumentError.error(
        "The audio task is not initialized with \(name). Current Running Mode: \(mode.displayName)")
    }
    lock.lock()
    defer { lock.unlock() }
    if isClosed { throw Self.notRunning }
  }

  private static var notRunning: NSError {
    TasksErrorCode.invalidArgumentError.status("Task runner is currently not running.")
  }
}
