// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Why an interpreter cannot be made or used.
public enum InterpreterError: Error, Equatable, Hashable, Sendable {
  /// There is no input or output of this index.
  case invalidTensorIndex(index: Int, maxIndex: Int)
  /// The number of bytes is not that of the tensor.
  case invalidTensorDataCount(provided: Int, required: Int)
  /// The tensor's element type has no `Tensor.DataType`.
  case invalidTensorDataType
  /// The file cannot be read, or holds no model.
  case failedToLoadModel
  /// The model needs an operator that does not exist, or its bytes are no model.
  case failedToCreateInterpreter
  /// The input cannot take that shape.
  case failedToResizeInputTensor(index: Int)
  /// The values cannot be put into the input.
  case failedToCopyDataToInputTensor
  /// The model cannot be prepared for the shapes of its inputs.
  case failedToAllocateTensors
  /// `allocateTensors()` has not been called since the interpreter was made or resized; thrown by
  /// `invoke()` for every other failure as well.
  case allocateTensorsRequired
  /// The output has no memory before the model has run.
  case invokeInterpreterRequired
  /// What went wrong inside, for the log.
  case tensorFlowLiteError(String)
}

extension InterpreterError: LocalizedError {
  /// What went wrong, for people.
  public var errorDescription: String? {
    switch self {
    case .invalidTensorIndex(let index, let maxIndex):
      "Invalid tensor index \(index), max index is \(maxIndex)."
    case .invalidTensorDataCount(let provided, let required):
      "Provided data count \(provided) must match the required count \(required)."
    case .invalidTensorDataType:
      "Tensor data type is unsupported or could not be determined due to a model error."
    case .failedToLoadModel: "Failed to load the given model."
    case .failedToCreateInterpreter: "Failed to create the interpreter."
    case .failedToResizeInputTensor(let index):
      "Failed to resize input tensor at index \(index)."
    case .failedToCopyDataToInputTensor: "Failed to copy data to input tensor."
    case .failedToAllocateTensors: "Failed to allocate memory for input tensors."
    case .allocateTensorsRequired: "Must call allocateTensors()."
    case .invokeInterpreterRequired: "Must call invoke()."
    case .tensorFlowLiteError(let message): "TensorFlow Lite Error: \(message)"
    }
  }
}

extension InterpreterError: CustomStringConvertible {
  /// What went wrong, for people.
  public var description: String { errorDescription ?? "Unknown error." }
}

/// Why a signature cannot be run.
public enum SignatureRunnerError: Error, Equatable, Hashable, Sendable {
  /// The number of bytes is not that of the tensor.
  case invalidTensorDataCount(provided: Int, required: Int)
  /// The tensor's element type has no `Tensor.DataType`.
  case invalidTensorDataType
  /// The model has no signature of this key.
  case failedToCreateSignatureRunner(signatureKey: String)
  /// The signature has no input or output of this name; `tensorType` is "input" or "output".
  case failedToGetTensor(tensorType: String, nameInSignature: String)
  /// The input cannot take that shape.
  case failedToResizeInputTensor(inputName: String)
  /// The values cannot be put into the input.
  case failedToCopyDataToInputTensor
  /// The model cannot be prepared for the shapes of the signature's inputs.
  case failedToAllocateTensors
  /// The model failed on these values.
  case failedToInvokeSignature(signatureKey: String)
  /// An input was resized and `allocateTensors()` has not been called since.
  case allocateTensorsRequired
}

extension SignatureRunnerError: LocalizedError {
  /// What went wrong, for people.
  public var errorDescription: String? {
    switch self {
    case .invalidTensorDataCount(let provided, let required):
      "Provided data count \(provided) must match the required count \(required)."
    case .invalidTensorDataType:
      "Tensor data type is unsupported or could not be determined due to a model error."
    case .failedToCreateSignatureRunner(let key):
      "Failed to create a signature runner. Signature with key (\(key)) not found."
    case .failedToGetTensor(let kind, let name):
      "Failed to get \(kind) tensor with \(kind) name (\(name))."
    case .failedToResizeInputTensor(let name):
      "Failed to resize input tensor with input name (\(name))."
    case .failedToCopyDataToInputTensor: "Failed to copy data to input tensor."
    case .failedToAllocateTensors: "Failed to allocate memory for input tensors."
    case .failedToInvokeSignature(let key):
      "Failed to invoke the signature runner with key (\(key))."
    case .allocateTensorsRequired: "Must call allocateTensors()."
    }
  }
}

extension SignatureRunnerError: CustomStringConvertible {
  /// What went wrong, for people.
  public var description: String { errorDescription ?? "Unknown error." }
}
