// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels
package import Tensors

/// A loop that moves elements without looking at them.
package protocol MovingLoop: KernelLoop {
  /// The inputs whose elements move; nil for all that have the output's element type.
  static var movedInputs: [Int]? { get }

  /// What it puts where no element comes to, as stored; nil for loops that leave no gaps.
  var filling: TensorBytes? { get }
}

extension MovingLoop {
  package static var movedInputs: [Int]? { nil }
  package var filling: TensorBytes? { nil }
}

/// A kernel that moves elements without looking at them.
package protocol MovingKernel: Kernel {
  /// The inputs whose elements move; nil for all that have the output's element type.
  var movedInputs: [Int]? { get }

  /// What it puts where no element comes to, as stored; nil for kernels that leave no gaps.
  var filling: TensorBytes? { get }
}

extension LoopKernel: MovingKernel where Loop: MovingLoop {
  package var movedInputs: [Int]? { Loop.movedInputs }
  package var filling: TensorBytes? { loop.filling }
}

extension PackedElementsKernel: MovingKernel {
  package var movedInputs: [Int]? { nil }
  package var filling: TensorBytes? { (moving as? any MovingKernel)?.filling }
}

extension BoxCopyLoop: MovingLoop {
  package var filling: TensorBytes? {
    if case .value(let bytes) = copies.background { bytes } else { nil }
  }
}

extension MirrorPadLoop: MovingLoop {
  package static var movedInputs: [Int]? { [0] }
}

extension SpaceToBatchLoop: MovingLoop {
  package static var movedInputs: [Int]? { [0] }
  package var filling: TensorBytes? { padding }
}

extension BatchToSpaceLoop: MovingLoop {
  package static var movedInputs: [Int]? { [0] }
}

extension ResizeNearestNeighborLoop: MovingLoop {
  package static var movedInputs: [Int]? { [0] }
}

extension ReverseSequenceLoop: MovingLoop {
  package static var movedInputs: [Int]? { [0] }
}

extension GatherLoop: MovingLoop {
  package static var movedInputs: [Int]? { [0] }
}

extension GatherNdLoop: MovingLoop {
  package static var movedInputs: [Int]? { [0] }
}

extension WindowGatherLoop: MovingLoop {
  package static var movedInputs: [Int]? { [0] }
}

extension CopiedRowsLoop: MovingLoop {
  package static var movedInputs: [Int]? { [1] }
}

extension DynamicUpdateSliceLoop: MovingLoop {
  package static var movedInputs: [Int]? { [0, 1] }
}

extension SparseToDenseLoop: MovingLoop {
  package static var movedInputs: [Int]? { [2, 3] }
}

extension OneHotLoop: MovingLoop {
  package static var movedInputs: [Int]? { [2, 3] }
}

extension SelectLoop: MovingLoop {
  package static var movedInputs: [Int]? { [1, 2] }
}

/// Finds where a moved element comes from, by letting the kernel move numbers instead.
///
/// Every element of the inputs gets a number. The kernel moves one digit of all numbers at a
/// time, as many bits as an element has, and the output's digits put together are the number of
/// the element that came there. A last run with the first digit's bits inverted tells elements
/// from what the kernel itself fills gaps with.
extension ElementOrigin {
  /// The origin of `output`; nil where it comes from no input, or its elements have no fixed size.
  package init?(
    of output: OutputLocation, movedBy kernel: any MovingKernel, in node: EvaluatedNode,
    scratch: [Int]
  ) throws(KernelError) {
    let type = node.outputs[output.position].tensor.type.elementType
    guard let bitCount = type.bitCount else { return nil }
    var firstNumbers: [(input: Int, first: UInt64, count: Int)] = []
    var next: UInt64 = 0
    for (position, input) in node.inputs.enumerated() {
      guard let input, input.tensor.type.elementType == type,
        kernel.movedInputs?.contains(position) ?? true
      else { continue }
      let count = input.tensor.type.shape.elementCount
      firstNumbers.append((position, next, count))
      next += UInt64(count)
    }
    let run = DigitRun(
      kernel: kernel, node: node, output: output, scratch: scratch, bitCount: bitCount,
      numbers: firstNumbers.map { ($0.input, $0.first) })
    let digitCount = max((64 - next.leadingZeroBitCount + bitCount - 1) / bitCount, 1)
    var number: UInt64 = 0
    let width = min(bitCount, 64)
    for digit in 0..<digitCount {
      guard let value = try run.digit(digit, inverted: false) else { return nil }
      number |= value << UInt64(digit * width)
    }
    let mask = width == 64 ? UInt64.max : (UInt64(1) << UInt64(width)) - 1
    guard let inverse = try run.digit(0, inverted: true), inverse == ~number & mask,
      let source = firstNumbers.first(where: {
        number >= $0.first && number < $0.first + UInt64($0.count)
      })
    else { return nil }
    input = source.input
    flat = Int(number - source.first)
  }
}

/// Runs a moving kernel on the digits of its elements' numbers.
private struct DigitRun {
  let kernel: any MovingKernel
  let node: EvaluatedNode
  let output: OutputLocation
  let scratch: [Int]
  let bitCount: Int
  /// The moved inputs, and the number of the first element of each.
  let numbers: [(input: Int, first: UInt64)]

  /// The digit that the kernel moves to the output.
  func digit(_ digit: Int, inverted: Bool) throws(KernelError) -> UInt64? {
    var inputs = node.inputs.map { $0?.bytes }
    for (position, first) in numbers {
      guard let bytes = inputs[position] else { continue }
      let digits = TensorBytes(zeroed: bytes.byteCount)
      let count = node.inputs[position]?.tensor.type.shape.elementCount ?? 0
      for index in 0..<count {
        let number = first + UInt64(index)
        let value = digit * bitCount < 64 ? number >> UInt64(digit * bitCount) : 0
        write(inverted ? ~value : value, index, digits)
      }
      inputs[position] = digits
    }
    let outputs = node.outputs.map { TensorBytes(zeroed: $0.bytes.byteCount) }
    let frame = TensorFrame(
      inputs: inputs, outputs: outputs, scratch: scratch.map(TensorBytes.init(zeroed:)))
    try kernel.evaluate(frame)
    return read(output.flat, outputs[output.position])
  }

  private func write(_ value: UInt64, _ index: Int, _ bytes: TensorBytes) {
    var span = bytes.mutableSpan(as: UInt8.self)
    guard bitCount >= 8 else {
      let location = index * bitCount
      let mask = UInt8(1) << UInt8(bitCount) - 1
      span[location / 8] |= (UInt8(truncatingIfNeeded: value) & mask) << UInt8(location % 8)
      return
    }
    for byte in 0..<bitCount / 8 {
      // Elements beyond 64 bits have zeros behind the number, or ones where it is inverted.
      let bits = byte < 8 ? value >> UInt64(8 * byte) : 0
      span[index * bitCount / 8 + byte] = UInt8(truncatingIfNeeded: bits)
    }
  }

  private func read(_ index: Int, _ bytes: TensorBytes) -> UInt64? {
    let span = bytes.span(as: UInt8.self)
    guard (index + 1) * bitCount <= span.count * 8 else { return nil }
    guard bitCount >= 8 else {
      let location = index * bitCount
      return UInt64(span[location / 8] >> UInt8(location % 8)) & ((1 << UInt64(bitCount)) - 1)
    }
    var value: UInt64 = 0
    for byte in 0..<min(bitCount / 8, 8) {
      value |= UInt64(span[index * bitCount / 8 + byte]) << UInt64(8 * byte)
    }
    return value
  }
}
