// SPDX-License-Identifier: Apache-2.0

import Martlet

extension CompiledModel {
  /// Runs a signature, with buffers by the names of its inputs and outputs (an addition).
  ///
  /// - Parameters:
  ///   - inputs: the inputs' values; those that are bound to memory by `Options` may be left out.
  ///   - signatureKey: which signature; nil for the first.
  /// - Returns: the outputs' values, in new buffers.
  /// - Throws: `LiteRtError.notFound` where the model has no such signature or it has no such input,
  ///   `.missingInputTensor` where one has no values, and as with lists of buffers.
  public func run(
    inputs: [String: TensorBuffer], signatureKey: String? = nil
  ) throws -> [String: TensorBuffer] {
    let index = try signatureIndex(of: signatureKey)
    let names = try signature(index).inputs.indices.map {
      try inputName(inputIndex: $0, signatureIndex: index)
    }
    guard inputs.keys.allSatisfy(names.contains) else { throw LiteRtError.notFound }
    let buffers = try names.map { name in
      guard let buffer = inputs[name] ?? boundBuffers[index]?[name] else {
        throw LiteRtError.missingInputTensor
      }
      return buffer
    }
    let outputs = try run(inputs: buffers, signatureIndex: index)
    var named: [String: TensorBuffer] = [:]
    for (position, buffer) in outputs.enumerated() {
      named[try outputName(outputIndex: position, signatureIndex: index)] = buffer
    }
    return named
  }

  /// Runs a signature on a thread of its own (an addition).
  ///
  /// Cancelling the task stops the run before its next operator.
  ///
  /// - Parameters:
  ///   - inputs: the inputs' values, one buffer for each.
  ///   - outputs: where the outputs' values go, one buffer for each.
  ///   - signatureIndex: which signature.
  /// - Throws: as `run` does.
  public func runInBackground(
    inputs: [TensorBuffer], outputs: [TensorBuffer], signatureIndex: Int = 0
  ) async throws {
    let signature = try signature(signatureIndex)
    try begin(signature, inputs, outputs)
    do {
      try await signature.interpreter.invoke()
    } catch let error as InferenceError {
      throw noted(error)
    }
    try end(signature, outputs)
  }

  private func signatureIndex(of key: String?) throws(LiteRtError) -> Int {
    guard let key else { return 0 }
    guard let index = signatures.firstIndex(where: { $0.key == key }) else { throw .notFound }
    return index
  }
}
