// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Dispatch
import Foundation
import MediaPipeTasksCommon
import ModelTasks

/// The blocks of a stream on their way through a classifier, in their order, none dropped.
final class AudioStream: @unchecked Sendable {
  /// Gets what is heard in a window, with the window's time.
  typealias Delivery = @Sendable (Result<AudioClassifierResult, NSError>, Int) -> Void

  private let engine: TaskEngine<AudioTasks.AudioClassifier>
  private let work: DispatchQueue
  private let delivery: DispatchQueue
  private let lock = NSLock()
  /// Only touched under the lock, as all below.
  private var start: Int?
  private var latest: Int?
  private var sampleRate: Double?

  init(_ engine: TaskEngine<AudioTasks.AudioClassifier>) {
    self.engine = engine
    let label = "com.mediapipe.tasks.audio.audioClassifier_\(UUID().uuidString)"
    work = DispatchQueue(label: label + ".work")
    delivery = DispatchQueue(label: label)
  }

  /// Takes the next block.
  ///
  /// - Throws: `NSError` where its time is not after that of the one before, or its rate is another
  ///   than that of the first.
  func send(_ block: AudioData, at time: Int, deliver: @escaping Delivery) throws(NSError) {
    let clip = try block.clip()
    let start = try accept(time, block.format.sampleRate)
    run(from: start, deliver) { classifier throws(AudioTaskError) in
      try classifier.process(clip)
    }
  }

  /// Ends the stream and waits until all its results are on their way to the delegate.
  func finish(deliver: @escaping Delivery) {
    lock.lock()
    let start = start ?? 0
    lock.unlock()
    run(from: start, deliver) { classifier throws(AudioTaskError) in try classifier.finish() }
    work.sync {}
  }

  private func accept(_ time: Int, _ rate: Double) throws(NSError) -> Int {
    lock.lock()
    defer { lock.unlock() }
    if let sampleRate, sampleRate != rate {
      throw TasksErrorCode.invalidArgumentError.error(
        "The input audio sample rate: \(rate) is inconsistent with the previously provided: \(sampleRate)"
      )
    }
    if let latest, time <= latest { throw TasksErrorCode.timesMustIncrease }
    let first = start ?? time
    (start, latest, sampleRate) = (first, time, rate)
    return first
  }

  private func run(
    from start: Int, _ deliver: @escaping Delivery,
    _ body:
      @escaping @Sendable (AudioTasks.AudioClassifier) throws(AudioTaskError) ->
      [AudioTasks.AudioClassifier.Result]
  ) {
    work.async { [engine, delivery] in
      do throws(NSError) {
        let windows = try engine.use { classifier throws(NSError) in
          try TasksErrorCode.hearing { () throws(AudioTaskError) in try body(classifier) }
        }
        for window in windows {
          let time = start &+ window.milliseconds
          let result = AudioClassifierResult(
            classificationResults: [
              ClassificationResult(window.heads, timestampInMilliseconds: time)
            ], timestampInMilliseconds: time)
          delivery.async { deliver(.success(result), time) }
        }
      } catch {
        delivery.async { deliver(.failure(error), start) }
      }
    }
  }
}

extension TasksErrorCode {
  /// What `body` makes, with the errors of these interfaces.
  static func hearing<Value>(
    _ body: () throws(AudioTaskError) -> Value
  ) throws(NSError) -> Value {
    do throws(AudioTaskError) { return try body() } catch {
      switch error {
      case .task(let error): throw Self.error(error)
      case .audio(let error): throw invalidArgumentError.status("\(error)")
      }
    }
  }
}
