// SPDX-License-Identifier: Apache-2.0

import Martlet

extension CompiledModel {
  /// Gives an input other dimensions where the file leaves them open.
  ///
  /// - Parameters:
  ///   - inputIndex: which input.
  ///   - dimensions: all dimensions, at least 1 each.
  ///   - signatureIndex: which signature.
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature or input,
  ///   `.invalidArgument` where the dimensions are not those that the file fixes, none is open, or one
  ///   is not positive.
  public func resizeInputTensor(
    inputIndex: Int, dimensions: [Int], signatureIndex: Int = 0
  ) throws {
    try resize(inputIndex, dimensions, signatureIndex, isStrict: true)
  }

  /// Gives an input other dimensions, also where the file fixes them.
  ///
  /// - Parameters:
  ///   - inputIndex: which input.
  ///   - dimensions: all dimensions, at least 1 each.
  ///   - signatureIndex: which signature.
  /// - Throws: `LiteRtError.indexOutOfBounds` where there is no such signature or input,
  ///   `.invalidArgument` where a dimension is not positive.
  public func resizeInputTensorNonStrict(
    inputIndex: Int, dimensions: [Int], signatureIndex: Int = 0
  ) throws {
    try resize(inputIndex, dimensions, signatureIndex, isStrict: false)
  }

  private func resize(
    _ index: Int, _ dimensions: [Int], _ signatureIndex: Int, isStrict: Bool
  ) throws(LiteRtError) {
    let signature = try signature(signatureIndex)
    let info = try signature.input(index)
    guard !dimensions.isEmpty, dimensions.allSatisfy({ 1...Int(Int32.max) ~= $0 }) else {
      throw .invalidArgument
    }
    guard info.type?.shape.dimensions != dimensions else { return }
    guard !isStrict || info.leavesOpen(dimensions) else { throw .invalidArgument }
    try signature.resize(index, to: dimensions, in: self)
  }
}

extension ModelSignature {
  /// Gives the input at LiteRT's index another shape.
  func resize(
    _ index: Int, to dimensions: [Int], in model: CompiledModel
  ) throws(LiteRtError) {
    guard let shape = try? Shape(dimensions) else { throw .invalidArgument }
    try model.noting { () throws(InferenceError) in
      try interpreter.resizeInput(inputs[index], to: shape)
    }
  }
}

extension Interpreter.TensorInfo {
  /// Whether the tensor may have these dimensions: some are open, and the others these.
  func leavesOpen(_ dimensions: [Int]) -> Bool {
    guard let declared = shapeSignature, declared.contains(-1),
      declared.count == dimensions.count
    else { return false }
    return zip(declared, dimensions).allSatisfy { $0 == -1 || $0 == $1 }
  }
}
