// SPDX-License-Identifier: Apache-2.0

import Martlet

extension ComputationOptions {
  /// An interpreter of the model in the file at `path`, of its main graph or of a signature.
  func interpreter(
    of model: Model, _ path: String, signature: String?, keepsAllTensors: Bool = false,
    command: String
  ) throws(CommandError) -> Interpreter {
    if let signature, !model.file.signatures.contains(where: { $0.key == signature }) {
      let known = model.file.signatures.map { "'\($0.key)'" }.joined(separator: ", ")
      throw .usage(
        "no signature '\(signature)' in \(path)", command: command,
        hint: known.isEmpty ? "the model has no signatures" : "the model has \(known)")
    }
    var options = interpreter
    options.keepsAllTensors = keepsAllTensors
    return try naming(path) { () throws(InferenceError) in
      try Interpreter(model, signature: signature, options: options)
    }
  }
}
