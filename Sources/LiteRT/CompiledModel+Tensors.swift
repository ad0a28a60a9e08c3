// SPDX-License-Identifier: Apache-2.0

import Martlet

extension CompiledModel {
  /// How many inputs a signature has.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature.
  public func inputCount(signatureIndex: Int = 0) throws -> Int {
    try signature(signatureIndex).inputs.count
  }

  /// How many outputs a signature has.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature.
  public func outputCount(signatureIndex: Int = 0) throws -> Int {
    try signature(signatureIndex).outputs.count
  }

  /// The name of an input in its signature.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature or input.
  public func inputName(inputIndex: Int, signatureIndex: Int = 0) throws -> String {
    let info = try signature(signatureIndex).input(inputIndex)
    return info.argument ?? info.name
  }

  /// The name of an output in its signature.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature or output.
  public func outputName(outputIndex: Int, signatureIndex: Int = 0) throws -> String {
    let info = try signature(signatureIndex).output(outputIndex)
    return info.argument ?? info.name
  }

  /// What the model's file says an input is, with open dimensions as -1.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature or input.
  public func getInputTensorType(inputIndex: Int, signatureIndex: Int = 0) throws -> TensorType {
    TensorType(try signature(signatureIndex).input(inputIndex), isDeclared: true)
  }

  /// What the model's file says an output is, with open dimensions as -1.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature or output.
  public func getOutputTensorType(outputIndex: Int, signatureIndex: Int = 0) throws -> TensorType {
    TensorType(try signature(signatureIndex).output(outputIndex), isDeclared: true)
  }

  /// The layout of an input as it is now.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature or input.
  public func getInputTensorLayout(inputIndex: Int, signatureIndex: Int = 0) throws -> Layout {
    TensorType(try signature(signatureIndex).input(inputIndex), isDeclared: false).layout
  }

  /// The layouts of the outputs for the inputs as they are now.
  ///
  /// - Parameters:
  ///   - signatureIndex: which signature.
  ///   - updateAllocation: whether the model is prepared for its inputs first; here it always is.
  /// - Returns: a layout for each output.
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature, `.runtimeFailure` where
  ///   the model cannot be prepared.
  public func getOutputTensorLayouts(
    signatureIndex: Int = 0, updateAllocation: Bool = true
  ) throws -> [Layout] {
    let signature = try signature(signatureIndex)
    try noting { () throws(InferenceError) in try signature.interpreter.prepare() }
    return try signature.outputs.indices.map {
      TensorType(try signature.output($0), isDeclared: false).layout
    }
  }

  /// What a buffer for an input needs.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature or input.
  public func getInputBufferRequirements(
    inputIndex: Int, signatureIndex: Int = 0
  ) throws -> TensorBufferRequirements {
    let info = try signature(signatureIndex).input(inputIndex)
    return TensorBufferRequirements(bufferSize: info.type?.byteCount ?? 0)
  }

  /// What a buffer for an output needs.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature or output.
  public func getOutputBufferRequirements(
    outputIndex: Int, signatureIndex: Int = 0
  ) throws -> TensorBufferRequirements {
    let info = try signature(signatureIndex).output(outputIndex)
    return TensorBufferRequirements(bufferSize: info.type?.byteCount ?? 0)
  }

  /// Buffers for the inputs as they are now: open dimensions are 1 until they are resized.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature, `.runtimeFailure` where
  ///   an input's elements differ in size.
  public func createInputBuffers(signatureIndex: Int = 0) throws -> [TensorBuffer] {
    try signature(signatureIndex).inputs.indices.map { index in
      let requirements = try getInputBufferRequirements(
        inputIndex: index, signatureIndex: signatureIndex)
      let type = try getInputTensorType(inputIndex: index, signatureIndex: signatureIndex)
      let layout = try getInputTensorLayout(inputIndex: index, signatureIndex: signatureIndex)
      return try TensorBuffer(
        environment: environment, bufferType: .hostMemory,
        tensorType: TensorType(elementType: type.elementType, layout: layout),
        size: requirements.bufferSize)
    }
  }

  /// Buffers for the outputs as they are for the inputs' present shapes.
  ///
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature, `.invalidArgument` where
  ///   only a run tells an output's shape, `.runtimeFailure` where the model cannot be prepared.
  public func createOutputBuffers(signatureIndex: Int = 0) throws -> [TensorBuffer] {
    let layouts = try getOutputTensorLayouts(signatureIndex: signatureIndex)
    let signature = try signature(signatureIndex)
    return try layouts.indices.map { index in
      let info = try signature.output(index)
      guard info.type != nil, layouts[index].elementCount != nil else {
        throw LiteRtError.invalidArgument
      }
      return try TensorBuffer(
        environment: environment, bufferType: .hostMemory,
        tensorType: TensorType(info, isDeclared: false), size: info.type?.byteCount ?? 0)
    }
  }
}
