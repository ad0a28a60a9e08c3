// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaPipeTasksCommon
import VisionTasks

/// A vision task in one of its running modes.
final class VisionTask<Output: Sendable>: @unchecked Sendable {
  /// Makes the result of an input at a time.
  typealias Process<Engine> = @Sendable (Engine, VisionInput, Int) throws(NSError) -> Output

  private let mode: RunningMode
  /// The result of an input without a time, which gets one.
  private let untimed: @Sendable (VisionInput) throws(NSError) -> Output
  /// The result of an input with a time.
  private let timed: @Sendable (VisionInput, Int) throws(NSError) -> Output
  private let stream: LiveStream<VisionInput, Output>

  /// - Parameters:
  ///   - name: the name of the task.
  ///   - mode: what it is given.
  ///   - hasDelegate: whether somebody wants the results of a live stream.
  ///   - engine: what makes the engine, after the options were checked.
  ///   - process: what makes a result.
  /// - Throws: `NSError` where there is a delegate in another mode than that of live streams, or none
  ///   in that.
  init<Engine>(
    _ name: String, _ mode: RunningMode, hasDelegate: Bool,
    engine: () throws(NSError) -> Engine, process: @escaping Process<Engine>
  ) throws(NSError) {
    guard hasDelegate == (mode == .liveStream) else {
      throw TasksErrorCode.invalidArgumentError.error(
        hasDelegate
          ? "The vision task is in image or video mode. The delegate must not be set in the task's options."
          : "The vision task is in live stream mode. An object must be set as the delegate of the task in its options to ensure asynchronous delivery of results."
      )
    }
    self.mode = mode
    let engine = TaskEngine(try engine())
    untimed = { (input) throws(NSError) in
      try engine.run { (engine, time) throws(NSError) in try process(engine, input, time) }
    }
    timed = { (input, time) throws(NSError) in
      try engine.run(timestampInMilliseconds: time) { engine throws(NSError) in
        try process(engine, input, time)
      }
    }
    stream = LiveStream(name) { (input, time) throws(NSError) in
      try engine.use { engine throws(NSError) in try process(engine, input, time) }
    }
  }

  /// The result of an image.
  func image(_ image: MPImage, region: CGRect = .zero) throws(NSError) -> Output {
    try check(.image, "image")
    return try untimed(try VisionInput(image, region: region))
  }

  /// The result of a frame of a video.
  func video(
    _ frame: MPImage, _ timestampInMilliseconds: Int, region: CGRect = .zero
  ) throws(NSError) -> Output {
    try check(.video, "video")
    return try timed(try VisionInput(frame, region: region), timestampInMilliseconds)
  }

  /// Takes a frame of a live stream.
  func live(
    _ image: MPImage, _ timestampInMilliseconds: Int, region: CGRect = .zero,
    deliver: @escaping LiveStream<VisionInput, Output>.Delivery
  ) throws(NSError) {
    try check(.liveStream, "live stream")
    try stream.send(
      try VisionInput(image, region: region), timestampInMilliseconds: timestampInMilliseconds,
      deliver: deliver)
  }

  private func check(_ wanted: RunningMode, _ name: String) throws(NSError) {
    guard mode == wanted else {
      throw TasksErrorCode.invalidArgumentError.error(
        "The vision task is not initialized with \(name) mode. Current Running Mode: \(mode.displayName)"
      )
    }
  }
}

extension Result where Failure == NSError {
  /// The value; nil for an error.
  var value: Success? { try? get() }

  /// The error; nil for a value.
  var error: NSError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}

extension TasksErrorCode {
  /// What `body` makes, with the errors of these interfaces.
  static func looking<Value>(_ body: () throws(VisionError) -> Value) throws(NSError) -> Value {
    do throws(VisionError) { return try body() } catch { throw Self.error(error) }
  }

  private static func error(_ error: VisionError) -> NSError {
    switch error {
    case .inference(let error): Self.error(error)
    case .image(let error): invalidArgumentError.status("\(error)")
    case .incompatibleModel(let reason), .labels(let reason), .invalidOption(let reason):
      invalidArgumentError.status(reason)
    case .manifest(let path, let reason): invalidArgumentError.status("\(path): \(reason)")
    }
  }
}
