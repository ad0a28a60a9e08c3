// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Runs a kernel that moves bytes on elements of 2 or 4 bits.
///
/// Several such elements share a byte, the first in the lowest bits. They are given a byte each,
/// moved, and packed again; bits of the last byte beyond the last element become zero.
package final class PackedElementsKernel: Kernel {
  /// The kernel over elements of a byte.
  package let moving: any Kernel
  private let bitCount: Int
  private let inputCounts: [Int?]
  private let outputCounts: [Int]

  /// `moving` applied to elements of `bitCount` bits.
  ///
  /// - Parameters:
  ///   - moving: a kernel over elements of a byte.
  ///   - bitCount: the bits of an element, 2 or 4.
  ///   - inputCounts: the elements of each packed input; nil for inputs that are not packed.
  ///   - outputCounts: the elements of each output; all outputs are packed.
  package init(
    _ moving: any Kernel, bitCount: Int, inputCounts: [Int?], outputCounts: [Int]
  ) {
    self.moving = moving
    self.bitCount = bitCount
    self.inputCounts = inputCounts
    self.outputCounts = outputCounts
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    var inputs: [TensorBytes?] = []
    for (position, count) in inputCounts.enumerated() {
      guard frame.hasInput(position) else {
        inputs.append(nil)
        continue
      }
      let bytes = frame.input(position, as: UInt8.self)
      inputs.append(count.map { unpacked(bytes, count: $0) } ?? copy(bytes))
    }
    let outputs = outputCounts.map { TensorBytes(zeroed: $0) }
    let unpackedFrame = TensorFrame(inputs: inputs, outputs: outputs)
    try moving.evaluate(unpackedFrame)
    for (position, bytes) in outputs.enumerated() {
      var output = frame.output(position, as: UInt8.self)
      pack(bytes.span(as: UInt8.self), into: &output)
    }
  }

  private func unpacked(_ packed: Span<UInt8>, count: Int) -> TensorBytes {
    let bytes = TensorBytes(zeroed: count)
    var elements = bytes.mutableSpan(as: UInt8.self)
    let (perByte, mask) = (8 / bitCount, UInt8(1) << bitCount - 1)
    for index in 0..<count {
      elements[index] = packed[index / perByte] >> (index % perByte * bitCount) & mask
    }
    return bytes
  }

  private func copy(_ operand: Span<UInt8>) -> TensorBytes {
    let bytes = TensorBytes(zeroed: operand.count)
    var elements = bytes.mutableSpan(as: UInt8.self)
    for index in operand.indices { elements[index] = operand[index] }
    return bytes
  }

  @_lifetime(packed: copy packed)
  private func pack(_ elements: Span<UInt8>, into packed: inout MutableSpan<UInt8>) {
    let (perByte, mask) = (8 / bitCount, UInt8(1) << bitCount - 1)
    for index in packed.indices { packed[index] = 0 }
    for index in elements.indices {
      packed[index / perByte] |= (elements[index] & mask) << (index % perByte * bitCount)
    }
  }
}
