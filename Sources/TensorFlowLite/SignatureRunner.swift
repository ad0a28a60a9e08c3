// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Martlet

/// Runs one signature of a model; inputs and outputs go by their names in the signature.
///
/// A runner has tensors of its own: what is copied into them does not change the interpreter's.
public final class SignatureRunner {
  /// The signature's key.
  public let signatureKey: String
  /// Why the latest call failed, with the location in the model; nil if none did.
  ///
  /// An addition.
  public private(set) var failureDescription: String?

  private let interpreter: Interpreter
  private let memory: TensorMemory

  init(interpreter: Interpreter, signatureKey: String) throws {
    self.signatureKey = signatureKey
    self.interpreter = interpreter
    do {
      memory = TensorMemory(
        try Martlet.Interpreter(
          interpreter.model, signature: signatureKey,
          options: Interpreter.settings(interpreter.options)))
    } catch {
      throw SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: signatureKey)
    }
    try allocateTensors()
  }

  /// The names of the inputs.
  public var inputs: [String] { memory.names(.input) }

  /// The names of the outputs.
  public var outputs: [String] { memory.names(.output) }

  /// Copies values into inputs and runs the signature.
  ///
  /// - Parameter inputs: the values by input name; inputs that are not named keep theirs.
  /// - Throws: `SignatureRunnerError.failedToInvokeSignature` where the model fails on the values;
  ///   what `allocateTensors` and `copy` throw.
  public func invoke(with inputs: [String: Data]) throws {
    try allocateTensors()
    for (name, data) in inputs { try copy(data, toInputNamed: name) }
    try attempt(.failedToInvokeSignature(signatureKey: signatureKey)) {
      try memory.interpreter.invoke()
    }
  }

  /// The input of this name with a copy of its values.
  ///
  /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.allocateTensorsRequired`, or
  ///   `.invalidTensorDataType`.
  public func input(named name: String) throws -> Tensor { try tensor(.input, name) }

  /// The output of this name with a copy of its values.
  ///
  /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.allocateTensorsRequired`, or
  ///   `.invalidTensorDataType`.
  public func output(named name: String) throws -> Tensor { try tensor(.output, name) }

  /// Gives an input another shape; only dimensions that the model leaves open may change.
  ///
  /// - Throws: `SignatureRunnerError.failedToResizeInputTensor`.
  public func resizeInput(named name: String, toShape shape: Tensor.Shape) throws {
    let error = SignatureRunnerError.failedToResizeInputTensor(inputName: name)
    guard let position = memory.interpreter.inputPosition(named: name) else { throw error }
    let open = memory.signature(ofInput: position)
    guard open.count == shape.rank,
      zip(open, shape.dimensions).allSatisfy({ $0 == -1 || $0 == $1 })
    else { throw error }
    try attempt(error) { try memory.resize(position, to: shape) }
  }

  /// Copies values into an input.
  ///
  /// - Throws: `SignatureRunnerError.failedToGetTensor`, `.invalidTensorDataCount`,
  ///   `.allocateTensorsRequired` (where the original writes through a null pointer), or
  ///   `.failedToCopyDataToInputTensor`.
  public func copy(_ data: Data, toInputNamed name: String) throws {
    let position = try position(.input, name)
    if let required = memory.byteCount(ofInput: position), required != data.count {
      throw SignatureRunnerError.invalidTensorDataCount(provided: data.count, required: required)
    }
    guard memory.isAllocated else { throw SignatureRunnerError.allocateTensorsRequired }
    try attempt(.failedToCopyDataToInputTensor) { try memory.write(data, toInput: position) }
  }

  /// Gives the tensors memory; happens by itself when the signature runs.
  ///
  /// - Throws: `SignatureRunnerError.failedToAllocateTensors`.
  public func allocateTensors() throws {
    guard !memory.isAllocated else { return }
    try attempt(.failedToAllocateTensors) { try memory.allocate() }
  }

  private func position(_ side: TensorMemory.Side, _ name: String) throws -> Int {
    let found =
      side == .input
      ? memory.interpreter.inputPosition(named: name)
      : memory.interpreter.outputPosition(named: name)
    guard let found else {
      throw SignatureRunnerError.failedToGetTensor(
        tensorType: side == .input ? "input" : "output", nameInSignature: name)
    }
    return found
  }

  private func tensor(_ side: TensorMemory.Side, _ name: String) throws -> Tensor {
    switch memory.read(side, try position(side, name)) {
    case .tensor(let tensor): return tensor
    case .noMemory: throw SignatureRunnerError.allocateTensorsRequired
    case .noDataType: throw SignatureRunnerError.invalidTensorDataType
    }
  }

  /// Runs `body`; what it throws is noted, and thrown as `error`.
  private func attempt(_ error: SignatureRunnerError, _ body: () throws -> Void) throws {
    failureDescription = nil
    do {
      try body()
    } catch let cause {
      failureDescription = "\(cause)"
      Interpreter.report("\(cause)")
      throw error
    }
  }
}
