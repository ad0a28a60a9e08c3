// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Tensors

extension FlexValue {
  /// The integer that the options of an operator of the audio front end hold for `name`.
  ///
  /// - Throws: `KernelError` where it is missing or outside `range`.
  func signalOption(_ name: String, in range: ClosedRange<Int>) throws(KernelError) -> Int {
    guard let value = self[name]?.int else { throw .invalid("option \(name) is missing") }
    guard range.contains(value) else {
      throw .invalid("\(name) \(value), wanted \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// The 32 bits that the options hold for `name`, whatever their sign.
  ///
  /// - Throws: `KernelError` where it is missing or longer.
  func signalBits(_ name: String) throws(KernelError) -> UInt32 {
    let value = try signalOption(name, in: Int(Int32.min)...Int(UInt32.max))
    return UInt32(truncatingIfNeeded: value)
  }
}

extension PrepareContext {
  /// An input of one axis and this element type, as most operators of the audio front end take it.
  ///
  /// - Throws: `KernelError` for another type or rank.
  func signalVector(_ position: Int, _ type: ElementType) throws(KernelError) -> TensorType {
    let input = try input(position)
    try input.expect(type, .input(position))
    guard input.shape.rank == 1 else {
      throw .rank(input.shape.rank, wanted: "1", .input(position))
    }
    return input
  }

  /// The type of an output, which the model must declare with this element type.
  ///
  /// - Throws: `KernelError` for another type.
  func signalOutput(
    _ type: ElementType, _ shape: Shape, at position: Int = 0
  ) throws(KernelError) -> TensorType {
    let declared = try declaredOutput(position)
    try declared.expect(type, .output(position))
    return TensorType(type, shape, quantization: declared.quantization)
  }
}

extension Shape {
  /// The last dimension, the length of a frame of samples.
  ///
  /// - Throws: `KernelError` where there is none, or frames are empty.
  func frameLength(_ tensor: KernelError.Tensor = .input(0)) throws(KernelError) -> Int {
    guard let last = dimensions.last, last > 0 else {
      throw .invalid("shape \(self), wanted frames of samples", tensor)
    }
    return last
  }
}
