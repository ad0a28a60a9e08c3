// SPDX-License-Identifier: Apache-2.0

import Compression
package import Martlet
import Tensors

/// The values of a model's inputs, for runs that repeat one.
package struct CapturedInputs: Sendable {
  /// Shapes by position; nil where a run decides.
  private let shapes: [Shape?]
  /// Bytes by position; nil for inputs that the model itself gives values.
  package let bytes: [[UInt8]?]

  /// The inputs that `interpreter` has been given.
  package init(of interpreter: Interpreter) throws(InferenceError) {
    try interpreter.prepare()
    shapes = interpreter.inputs.map { $0.type?.shape }
    bytes = interpreter.inputs.map { input in
      interpreter.table?.sources[input.index] == .input
        ? interpreter.tensor(input.index)?.bytes : nil
    }
  }

  /// An interpreter of `model` with these inputs.
  package func interpreter(
    of model: Model, options: Interpreter.Options
  ) throws(InferenceError) -> Interpreter {
    let interpreter = try Interpreter(model, options: options)
    for (position, shape) in shapes.enumerated() {
      if let shape { try interpreter.resizeInput(position, to: shape) }
    }
    try interpreter.prepare()
    try set(in: interpreter)
    return interpreter
  }

  /// Sets the inputs of an interpreter that takes them in these shapes.
  package func set(in interpreter: Interpreter) throws(InferenceError) {
    for (position, bytes) in bytes.enumerated() {
      if let bytes { try interpreter.setInput(position, bytes: bytes) }
    }
  }
}

extension Interpreter {
  /// SHA-256 of the outputs' bytes, all behind each other.
  package func outputDigest() -> String {
    var hash = SHA256()
    for output in outputs {
      if let bytes = tensor(output.index)?.bytes { hash.update(bytes.span) }
    }
    return SHA256.hexadecimal(hash.finalize())
  }
}
