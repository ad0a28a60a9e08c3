// SPDX-License-Identifier: Apache-2.0

public import FileAccess

/// Why an npz file cannot be read or written.
public enum NpzFileError: Error, Sendable, Equatable {
  /// The file cannot be read or written.
  case file(FileSystemError)
  /// The content is not as the format says, or more than it can hold.
  case content(NpyError)
}

extension NpzFileError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .content(let error): error.description
    }
  }
}
