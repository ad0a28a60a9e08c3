// SPDX-License-Identifier: Apache-2.0

package import Tensors

extension PrepareContext {
  /// The weights of an int4 or int2 input, one to a byte; nil for other element types.
  ///
  /// Weights narrower than a byte are stored low bits first over the flat tensor.
  ///
  /// - Throws: `KernelError` where the values are not known yet, or too few.
  package func unpackedWeights(_ position: Int) throws(KernelError) -> TensorBytes? {
    let type = try input(position)
    let bitCount: Int
    switch type.elementType {
    case .int4: bitCount = 4
    case .int2: bitCount = 2
    case _: return nil
    }
    guard let bytes = inputs[position]?.bytes else {
      throw KernelError(.valueNeeded(position), "value must be known first", .input(position))
    }
    let packed = bytes.span(as: Int8.self)
    let count = type.shape.elementCount
    let weightsPerByte = 8 / bitCount
    guard packed.count >= (count + weightsPerByte - 1) / weightsPerByte else {
      throw .invalid("fewer values than its shape says", .input(position))
    }
    let unpacked = TensorBytes(zeroed: count)
    var weights = unpacked.mutableSpan(as: Int8.self)
    for index in 0..<count {
      let lowBit = index % weightsPerByte * bitCount
      // Shifted left and back, the weight's top bit becomes the sign.
      weights[index] =
        (packed[index / weightsPerByte] << (8 - bitCount - lowBit)) >> (8 - bitCount)
    }
    return unpacked
  }
}
