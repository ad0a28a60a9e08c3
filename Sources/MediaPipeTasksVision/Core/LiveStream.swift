// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MediaPipeTasksCommon

/// The frames of a camera on their way through a task.
///
/// One frame is worked on while at most one waits: a newer frame takes the place of the one that
/// waits, which is dropped without a result, as MediaPipe's flow limiter does. Results are delivered
/// on a serial queue of their own.
final class LiveStream<Input: Sendable, Output: Sendable>: @unchecked Sendable {
  /// Gets the result of a frame with its time.
  typealias Delivery = @Sendable (Result<Output, NSError>, Int) -> Void

  private struct Frame: Sendable {
    let input: Input
    let time: Int
    let deliver: Delivery
  }

  private let process: @Sendable (Input, Int) throws(NSError) -> Output
  private let work: DispatchQueue
  private let delivery: DispatchQueue
  private let lock = NSLock()
  /// Only touched under the lock.
  private var latest: Int?
  private var isBusy = false
  private var waiting: Frame?

  /// A stream without frames.
  ///
  /// - Parameters:
  ///   - name: the name of the task.
  ///   - process: what makes a frame's result.
  init(_ name: String, process: @escaping @Sendable (Input, Int) throws(NSError) -> Output) {
    self.process = process
    let label = "com.mediapipe.tasks.vision.\(name)_\(UUID().uuidString)"
    work = DispatchQueue(label: label + ".work")
    delivery = DispatchQueue(label: label)
  }

  /// Takes a frame.
  ///
  /// - Throws: `NSError` where its time is not after that of the latest.
  func send(
    _ input: Input, timestampInMilliseconds: Int, deliver: @escaping Delivery
  ) throws(NSError) {
    let frame = Frame(input: input, time: timestampInMilliseconds, deliver: deliver)
    guard try enqueue(frame) else { return }
    work.async { [self] in
      var next: Frame? = frame
      while let frame = next {
        work(on: frame)
        next = take()
      }
    }
  }

  /// Whether nothing is worked on, so that the frame is next; else it waits.
  private func enqueue(_ frame: Frame) throws(NSError) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    if let latest, frame.time <= latest { throw TasksErrorCode.timesMustIncrease }
    latest = frame.time
    guard isBusy else {
      isBusy = true
      return true
    }
    waiting = frame
    return false
  }

  private func take() -> Frame? {
    lock.lock()
    defer { lock.unlock() }
    let next = waiting
    waiting = nil
    isBusy = next != nil
    return next
  }

  private func work(on frame: Frame) {
    let outcome: Result<Output, NSError>
    do throws(NSError) {
      outcome = .success(try process(frame.input, frame.time))
    } catch {
      outcome = .failure(error)
    }
    delivery.async { frame.deliver(outcome, frame.time) }
  }
}
