// SPDX-License-Identifier: Apache-2.0

package import FileAccess
package import GoldenCases
package import JSONDocuments
package import Martlet
package import ModelPublishing
package import Npy
package import Traces

/// Why a command cannot do what it was asked; `Diagnostics` has the words.
package enum CommandError: Error, Sendable {
  /// The command line is wrong.
  case usage(String, command: String, hint: String? = nil)
  /// A file or folder cannot be read or written.
  case file(FileSystemError)
  /// A model cannot be loaded, prepared or run.
  case inference(InferenceError, model: String)
  /// A file is no npy or npz file, or does not fit the tensor.
  case npy(NpyError, file: String)
  /// A file is no JSON document.
  case json(JSONError, file: String)
  /// A model cannot be had from a host.
  case host(HostingError, location: String)
  /// A file's content is not what is wanted, as the sentence says.
  case data(String, location: String, hint: String? = nil)
  /// What is wanted is not there, as the sentence says.
  case missing(String, location: String, hint: String? = nil)
}

extension CommandError {
  /// The same error as a command's.
  package init(_ error: GoldenError) {
    switch error {
    case .file(let error): self = .file(error)
    case .content(let problem, let file): self = .data(problem, location: file)
    case .inference(let error): self = .data(error.sentence, location: error.location)
    }
  }

  /// The same error as a command's; `file` is the npz file's path.
  package init(_ error: NpzFileError, file: String) {
    switch error {
    case .file(let error): self = .file(error)
    case .content(let error): self = .npy(error, file: file)
    }
  }

  /// The same error as a command's; `file` is the npz file's path.
  package init(_ error: TraceError, model: String, file: String) {
    switch error {
    case .inference(let error): self = .inference(error, model: model)
    case .file(let error): self.init(error, file: file)
    }
  }
}
