// SPDX-License-Identifier: Apache-2.0

/// The codes of MediaPipe's errors, whose domain is `com.google.mediapipe.tasks`.
///
/// Those up to 16 are the codes of `absl::Status`. Source: `MPPCommon.h`.
public enum TasksErrorCode: UInt, Sendable {
  /// The operation was cancelled.
  case cancelledError = 1
  /// Something else went wrong.
  case unknownError = 2
  /// An argument, an option or a model has a value that cannot be meant.
  case invalidArgumentError = 3
  /// Time ran out.
  case deadlineExceededError = 4
  /// A file is not there.
  case notFoundError = 5
  /// What was to be made is there.
  case alreadyExistsError = 6
  /// Access is refused.
  case permissionDeniedError = 7
  /// A limit is reached.
  case resourceExhaustedError = 8
  /// The circumstances do not allow the operation.
  case failedPreconditionError = 9
  /// The operation was given up.
  case abortedError = 10
  /// An index is out of range.
  case outOfRangeError = 11
  /// The operation does not exist here.
  case unimplementedError = 12
  /// Something went wrong inside.
  case internalError = 13
  /// What is needed cannot be reached.
  case unavailableError = 14
  /// Data is lost or damaged.
  case dataLossError = 15
  /// The caller has not said who it is.
  case unauthenticatedError = 16
  /// The user does not let the program use the microphone.
  case audioRecordPermissionDeniedError = 17
  /// The user was not asked whether the program may use the microphone.
  case audioRecordPermissionUndeterminedError = 18
  /// The microphone has delivered nothing yet.
  case audioRecordWaitingForNewMicInputError = 19
  /// The microphone is not recorded.
  case audioRecordNotTappingMicError = 20

  /// The least code.
  public static let first = TasksErrorCode.cancelledError
  /// The greatest code.
  public static let last = TasksErrorCode.audioRecordNotTappingMicError
}
