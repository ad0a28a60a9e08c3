// SPDX-License-Identifier: Apache-2.0

package import Martlet
package import Verification

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
  /// A file's content is not what is wanted, as the sentence says.
  case data(String, place: String, hint: String? = nil)
}
