// SPDX-License-Identifier: Apache-2.0

import FileAccess
package import Martlet
import ModelFormat
package import Tensors

extension Console {
  /// The model in the file at `path`; `-` reads standard input.
  ///
  /// `showsValues` is for commands that look at every value of a run, which takes many times the
  /// memory of a tensor.
  package func model(
    at path: String, showsValues: Bool = false
  ) throws(CommandError) -> Model {
    let limits = showsValues ? limits.forLookingAtValues : limits
    // What cannot be mapped, a pipe or a file in an archive, is read here.
    if path == "-" || Folder.kind(of: path) == .other || InputFile.isArchived(path) {
      let bytes = try read(path)
      return try naming(path) { () throws(InferenceError) in
        try Model(bytes: bytes, limits: limits)
      }
    }
    return try naming(path) { () throws(InferenceError) in
      try Model(path: path, limits: limits)
    }
  }

  /// The content of the file at `path`, whatever it is; `-` reads standard input.
  package func storage(at path: String) throws(CommandError) -> Storage {
    if path == "-" || Folder.kind(of: path) == .other || InputFile.isArchived(path) {
      let bytes = try read(path)
      return Storage(copying: bytes.span)
    }
    do throws(FileError) { return try Storage(mapping: path) } catch {
      throw .inference(InferenceError(.file(error)), model: path)
    }
  }
}

/// Does something with a model; errors name the model's file.
package func naming<Result>(
  _ model: String, _ body: () throws(InferenceError) -> Result
) throws(CommandError) -> Result {
  do throws(InferenceError) { return try body() } catch {
    throw .inference(error, model: model)
  }
}

extension Model {
  /// Checks that the model has the signature that a command line asks for.
  ///
  /// - Throws: `CommandError.usage` that names those it has.
  package func checkSignature(
    _ signature: String?, at path: String, command: String
  ) throws(CommandError) {
    guard let signature, !file.signatures.contains(where: { $0.key == signature }) else { return }
    let known = file.signatures.map { "'\($0.key)'" }.joined(separator: ", ")
    throw .usage(
      "no signature '\(signature)' in \(path)", command: command,
      hint: known.isEmpty ? "the model has no signatures" : "the model has \(known)")
  }
}
