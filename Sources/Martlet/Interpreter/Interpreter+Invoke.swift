// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels

extension Interpreter {
  /// Runs the model on the current inputs.
  ///
  /// - Throws: `InferenceError` where a node fails on these values, and after `cancel()`.
  public func invoke() throws(InferenceError) {
    session.progress.clear()
    try run()
  }

  /// Runs the model on the current inputs, on a thread of its own.
  ///
  /// Cancelling the task stops the run before its next node.
  ///
  /// - Throws: `InferenceError` where a node fails on these values, and when it is cancelled.
  public func invoke() async throws {
    session.progress.clear()
    // The caller waits, so only one thread uses the interpreter at a time.
    nonisolated(unsafe) let interpreter = self
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        BackgroundWork.run {
          done.resume(with: Result { unsafe try interpreter.run() })
        }
      }
    } onCancel: { [progress = session.progress] in
      progress.cancel()
    }
  }

  private func run() throws(InferenceError) {
    session.beginInvocation()
    session.forgetLists()
    try root.prepare()
    try session.team.region { () throws(InferenceError) in try root.run() }
  }

  /// Makes a run in progress stop before its next node, or within one that takes long, and throw;
  /// any thread may call it.
  public func cancel() { session.progress.cancel() }
}
