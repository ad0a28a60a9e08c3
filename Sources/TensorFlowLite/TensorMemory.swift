// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet

/// What interpreters and signature runners share: tensors that exist between allocation and resize.
final class TensorMemory {
  /// Which tensors are meant.
  enum Side {
    case input
    case output
  }

  let interpreter: Martlet.Interpreter
  /// Whether the tensors have memory for the current shapes.
  private(set) var isAllocated = false

  init(_ interpreter: Martlet.Interpreter) { self.interpreter = interpreter }

  func names(_ side: Side) -> [String] { tensors(side).map { $0.argument ?? $0.name } }

  private func tensors(_ side: Side) -> [Martlet.Interpreter.TensorInfo] {
    side == .input ? interpreter.inputs : interpreter.outputs
  }

  /// Gives the tensors memory.
  func allocate() throws(InferenceError) {
    try interpreter.prepare()
    isAllocated = true
  }

  /// Gives an input another shape; unless it is the one it has, the memory is lost.
  func resize(_ position: Int, to shape: Tensor.Shape) throws {
    let wanted = try Martlet.Shape(shape.dimensions)
    guard interpreter.inputs[position].type?.shape != wanted else { return }
    try interpreter.resizeInput(position, to: wanted)
    isAllocated = false
  }

  /// The bytes of an input; nil where its elements have no fixed size.
  func byteCount(ofInput position: Int) -> Int? { interpreter.inputs[position].type?.byteCount }

  /// The dimensions of an input as the file declares them, open ones as -1.
  func signature(ofInput position: Int) -> [Int] {
    let info = interpreter.inputs[position]
    return info.shapeSignature ?? info.type?.shape.dimensions ?? []
  }

  func write(_ data: Data, toInput position: Int) throws(InferenceError) {
    try interpreter.setInput(position, bytes: [UInt8](data))
  }

  /// What reading a tensor finds.
  enum Reading {
    case tensor(Tensor)
    case noMemory
    case noDataType
  }

  /// A tensor with a copy of its values: those of the latest run, or what is in its memory.
  func read(_ side: Side, _ position: Int) -> Reading {
    let info = tensors(side)[position]
    guard isAllocated, let value = interpreter.tensor(info.index) else { return .noMemory }
    guard let dataType = Tensor.DataType(value.type.elementType) else { return .noDataType }
    let affine = value.type.quantization?.perTensor
    return .tensor(
      Tensor(
        name: info.name, dataType: dataType, shape: Tensor.Shape(value.type.shape.dimensions),
        data: Data(value.bytes),
        quantizationParameters: affine.flatMap {
          $0.scale == 0
            ? nil : QuantizationParameters(scale: $0.scale, zeroPoint: Int($0.zeroPoint))
        }))
  }
}
