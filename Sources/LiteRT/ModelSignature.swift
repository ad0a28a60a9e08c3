// SPDX-License-Identifier: Apache-2.0

import Martlet

/// A signature of a compiled model: an interpreter, and which of its tensors are meant.
struct ModelSignature {
  /// The key of the signature that stands for the main subgraph of a model without signatures, as
  /// LiteRT calls it.
  private static let placeholderKey = "<placeholder signature>"

  let key: String
  let interpreter: Interpreter
  /// The positions of the inputs in the order of the subgraph, which is LiteRT's.
  let inputs: [Int]
  /// The positions of the outputs in the order of the subgraph.
  let outputs: [Int]

  /// The signatures of a model, which share variables.
  ///
  /// - Throws: `InferenceError` where an operator is not known.
  static func all(
    of model: Model, _ options: Interpreter.Options
  ) throws(InferenceError) -> [ModelSignature] {
    let main = try Interpreter(model, options: options)
    try refuseUnknownOperators(main)
    let keys = model.signatureKeys
    guard !keys.isEmpty else { return [ModelSignature(placeholderKey, main)] }
    var signatures: [ModelSignature] = []
    for key in keys {
      signatures.append(ModelSignature(key, try Interpreter(sharing: main, signature: key)))
    }
    return signatures
  }

  /// Operators are looked up when a model is compiled; that shapes are open is found later.
  private static func refuseUnknownOperators(
    _ interpreter: Interpreter
  ) throws(InferenceError) {
    do throws(InferenceError) {
      try interpreter.prepare()
    } catch {
      guard case .unsupportedOperator = error.reason else { return }
      throw error
    }
  }

  private init(_ key: String, _ interpreter: Interpreter) {
    self.key = key
    self.interpreter = interpreter
    let (inputs, outputs) = (interpreter.inputTensors, interpreter.outputTensors)
    self.inputs = interpreter.subgraph.inputs.compactMap { tensor in
      inputs.firstIndex { $0.tensor == tensor }
    }
    self.outputs = interpreter.subgraph.outputs.compactMap { tensor in
      outputs.firstIndex { $0.tensor == tensor }
    }
  }

  /// What the input at LiteRT's index is.
  func input(_ index: Int) throws(LiteRtError) -> Interpreter.TensorInfo {
    guard inputs.indices.contains(index) else { throw .indexOutOfBounds }
    return interpreter.inputs[inputs[index]]
  }

  /// What the output at LiteRT's index is.
  func output(_ index: Int) throws(LiteRtError) -> Interpreter.TensorInfo {
    guard outputs.indices.contains(index) else { throw .indexOutOfBounds }
    return interpreter.outputs[outputs[index]]
  }
}
