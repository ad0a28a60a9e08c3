// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Martlet
package import ModelTasks

extension TasksErrorCode {
  /// The domain of MediaPipe's errors.
  package static let domain = "com.google.mediapipe.tasks"

  /// An error that the interface itself finds.
  package func error(_ sentence: String) -> NSError {
    NSError(
      domain: Self.domain, code: Int(rawValue), userInfo: [NSLocalizedDescriptionKey: sentence])
  }

  /// An error of the task behind the interface, whose text begins with the name of the code.
  package func status(_ sentence: String) -> NSError { error("\(statusName): \(sentence)") }

  /// What went wrong in a task.
  package static func error(_ error: TaskError) -> NSError {
    switch error {
    case .inference(let error): Self.error(error)
    case .incompatibleModel(let reason), .labels(let reason), .invalidOption(let reason),
      .input(let reason), .bundle(let reason):
      invalidArgumentError.status(reason)
    }
  }

  /// What went wrong with a model's file or a run.
  package static func error(_ error: InferenceError) -> NSError {
    code(of: error).status("\(error)")
  }

  /// The code that says best what went wrong with a model's file or a run.
  private static func code(of error: InferenceError) -> TasksErrorCode {
    switch error.reason {
    case .file: .notFoundError
    case .model, .unsupportedOperator, .invalidRequest, .invalidGraph, .kernel:
      .invalidArgumentError
    case .memoryLimit, .operationLimit, .workLimit: .resourceExhaustedError
    case .timeLimit: .deadlineExceededError
    case .cancelled: .cancelledError
    }
  }

  /// What `body` makes, with the errors of these interfaces.
  package static func converting<Value>(
    _ body: () throws(TaskError) -> Value
  ) throws(NSError) -> Value {
    do throws(TaskError) { return try body() } catch { throw Self.error(error) }
  }

  /// The name of the code in `absl::Status`; codes of the microphone have none there.
  private var statusName: String {
    switch self {
    case .cancelledError: "CANCELLED"
    case .unknownError: "UNKNOWN"
    case .invalidArgumentError: "INVALID_ARGUMENT"
    case .deadlineExceededError: "DEADLINE_EXCEEDED"
    case .notFoundError: "NOT_FOUND"
    case .alreadyExistsError: "ALREADY_EXISTS"
    case .permissionDeniedError: "PERMISSION_DENIED"
    case .resourceExhaustedError: "RESOURCE_EXHAUSTED"
    case .failedPreconditionError: "FAILED_PRECONDITION"
    case .abortedError: "ABORTED"
    case .outOfRangeError: "OUT_OF_RANGE"
    case .unimplementedError: "UNIMPLEMENTED"
    case .internalError: "INTERNAL"
    case .unavailableError: "UNAVAILABLE"
    case .dataLossError: "DATA_LOSS"
    case .unauthenticatedError: "UNAUTHENTICATED"
    case .audioRecordPermissionDeniedError, .audioRecordPermissionUndeterminedError,
      .audioRecordWaitingForNewMicInputError, .audioRecordNotTappingMicError:
      "UNKNOWN"
    }
  }
}
