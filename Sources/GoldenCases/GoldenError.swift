// SPDX-License-Identifier: Apache-2.0

public import FileAccess
public import Martlet
internal import Tensors

/// Why a golden case cannot be read or run.
public enum GoldenError: Error, Sendable {
  /// A file or folder cannot be read.
  case file(FileSystemError)
  /// A file's content is not as the format says.
  case content(String, file: String)
  /// The model cannot be loaded, prepared or run.
  case inference(InferenceError)
}

extension GoldenError: CustomStringConvertible {
  /// The location and what is wrong there.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .content(let problem, let file): "\(file): \(problem)"
    case .inference(let error):
      error.location.isEmpty ? error.sentence : "\(error.location): \(error.sentence)"
    }
  }
}
