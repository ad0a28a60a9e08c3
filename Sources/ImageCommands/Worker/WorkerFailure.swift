// SPDX-License-Identifier: Apache-2.0

import InferenceRequests
import JSONDocuments
import Martlet

/// Why one record has no answer; the records behind it may have theirs.
struct WorkerFailure: Error, Equatable {
  /// What programs tell failures apart by; the words never change.
  enum Code: String, CaseIterable {
    /// The line is no JSON document.
    case badJSON = "bad_json"
    /// The document is no request, or not one for this task.
    case badRequest = "bad_request"
    /// The line has more bytes than are allowed.
    case tooLong = "too_long"
    /// The file is missing or cannot be read.
    case notFound = "not_found"
    /// The image cannot be decoded or does not fit the model.
    case badImage = "bad_image"
    /// The sound cannot be decoded or does not fit the model.
    case badSound = "bad_sound"
    /// The model cannot take the text.
    case badText = "bad_text"
    /// A tensor is malformed or does not fit the model.
    case badTensor = "bad_tensor"
    /// The model cannot compute the record.
    case inference
    /// The computation was stopped.
    case cancelled
  }

  let code: Code
  /// What is wrong and where, in one sentence.
  let message: String

  /// A failure that `message` describes; `location` is where in the record it lies.
  init(_ code: Code, _ message: String, at location: String) {
    self.code = code
    self.message = Diagnostic(.badData, message, at: location).sentence
  }

  /// The failure that a command's error means for one record; `code` where the error itself does
  /// not tell.
  init(_ error: CommandError, otherwise code: Code) {
    message = Diagnostic(error).sentence
    self.code =
      switch error {
      case .file: .notFound
      case .inference(let error, _): Self.code(of: error)
      case .npy: .badTensor
      case .usage, .json, .host, .data, .missing: code
      }
  }

  /// The failure that an unreadable tensor means.
  init(_ error: InferenceTensorError) {
    let code: Code =
      switch error.kind {
      case .request: .badRequest
      case .tensor: .badTensor
      }
    self.init(code, error.reason, at: error.location)
  }

  /// The failure that an error of the engine means.
  init(_ error: InferenceError, model: String) {
    self.init(CommandError.inference(error, model: model), otherwise: .inference)
  }

  private static func code(of error: InferenceError) -> Code {
    if case .cancelled = error.reason { .cancelled } else { .inference }
  }

  /// The failure as a member of an answer.
  var json: JSON { ["code": .string(code.rawValue), "message": .string(message)] }
}
