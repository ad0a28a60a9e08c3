// SPDX-License-Identifier: Apache-2.0

package import Martlet

extension ComputationOptions {
  /// An interpreter of the model in the file at `path`, of its main graph or of a signature.
  package func interpreter(
    of model: Model, _ path: String, signature: String?, keepsAllTensors: Bool = false,
    command: String
  ) throws(CommandError) -> Interpreter {
    try model.checkSignature(signature, at: path, command: command)
    var options = interpreter
    options.keepsAllTensors = keepsAllTensors
    return try naming(path) { () throws(InferenceError) in
      try Interpreter(model, signature: signature, options: options)
    }
  }
}
