// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet
import VisionTasks

/// The domain of the errors of ML Kit's types.
public let MLKitErrorDomain = "com.google.mlkit"

/// The domain of the errors of Firebase ML Kit's types.
///
/// The original's is not documented anywhere; this is the name of its preferences.
public let FirebaseMLErrorDomain = "com.google.firebase.ml"

/// The codes of the errors in both domains, numbered as `google.rpc.Code` (an addition).
///
/// The originals have the numbers, but no type for them.
public enum MLKitErrorCode: Int, Sendable, CaseIterable {
  /// The operation was cancelled.
  case cancelled = 1
  /// Something else went wrong.
  case unknown = 2
  /// An argument has a value that cannot be meant.
  case invalidArgument = 3
  /// Time ran out.
  case deadlineExceeded = 4
  /// A file or model is not there.
  case notFound = 5
  /// What was to be made is there.
  case alreadyExists = 6
  /// Access is refused.
  case permissionDenied = 7
  /// A limit is reached.
  case resourceExhausted = 8
  /// The circumstances do not allow the operation.
  case failedPrecondition = 9
  /// The operation was given up.
  case aborted = 10
  /// An index is out of range.
  case outOfRange = 11
  /// The operation does not exist here.
  case unimplemented = 12
  /// Something went wrong inside.
  case `internal` = 13
  /// The service cannot be reached.
  case unavailable = 14
  /// Data is lost or damaged.
  case dataLoss = 15
  /// The caller has not said who it is.
  case unauthenticated = 16
}

/// Which of the two families of names an error or notification belongs to.
enum Generation: Sendable {
  /// Firebase ML Kit: `ModelInterpreter`, `VisionImageLabeler` …
  case firebase
  /// ML Kit: `ImageLabeler`, `ObjectDetector` …
  case mlKit

  /// A real `NSError`, which `catch let error as NSError` needs on Linux.
  func error(_ code: MLKitErrorCode, _ message: String) -> NSError {
    NSError(
      domain: self == .firebase ? FirebaseMLErrorDomain : MLKitErrorDomain, code: code.rawValue,
      userInfo: [NSLocalizedDescriptionKey: message])
  }

  /// What went wrong with an image or a model.
  func error(_ error: VisionError) -> NSError {
    switch error {
    case .inference(let error): self.error(error)
    case .incompatibleModel(let reason), .labels(let reason), .invalidOption(let reason):
      self.error(.invalidArgument, reason)
    case .manifest(let path, let reason): self.error(.invalidArgument, "\(path): \(reason)")
    case .image(let error): self.error(.invalidArgument, "\(error)")
    }
  }

  /// What went wrong with a model's file or a run.
  func error(_ error: InferenceError) -> NSError { self.error(code(of: error), "\(error)") }

  /// The code that says best what went wrong with a model's file or a run.
  func code(of error: InferenceError) -> MLKitErrorCode {
    switch error.reason {
    case .file: .notFound
    case .model, .unsupportedOperator, .invalidRequest, .invalidGraph, .kernel: .invalidArgument
    case .memoryLimit, .operationLimit, .workLimit: .resourceExhausted
    case .timeLimit: .deadlineExceeded
    case .cancelled: .cancelled
    }
  }
}
