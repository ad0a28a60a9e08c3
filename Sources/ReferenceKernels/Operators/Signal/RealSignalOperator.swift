// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Tensors

/// An operator between frames of real samples and their spectra.
protocol RealSignalOperator: Operator {
  /// Samples of a transform.
  var length: Int { get }
  /// Whether it leads from spectra to samples.
  var isInverse: Bool { get }

  /// The elements of a frame of the output.
  ///
  /// - Throws: `KernelError` where a frame of the input has not as many as it should.
  func outputLength(_ inputLength: Int) throws(KernelError) -> Int

  /// The kernel for one number format.
  func kernel<Number: SignalNumber>(
    _ transform: RealSignalTransform<Number>, inputLength: Int
  ) -> any Kernel
}

extension RealSignalOperator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    switch input.elementType {
    case .int16: return try prepared(node, input, Int16.self)
    case .int32: return try prepared(node, input, Int32.self)
    case .float32: return try prepared(node, input, Float.self)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func prepared<Number: SignalNumber>(
    _ node: PrepareContext, _ input: TensorType, _ number: Number.Type
  ) throws(KernelError) -> Prepared {
    let inputLength = try input.shape.frameLength()
    let shape = try Shape.checked(
      input.shape.dimensions.dropLast() + [outputLength(inputLength)])
    let transform = try RealSignalTransform<Number>(length: length, isInverse: isInverse)
    var prepared = Prepared(
      try node.signalOutput(input.elementType, shape),
      kernel(transform, inputLength: inputLength))
    prepared.heldByteCount = transform.byteCount
    return prepared
  }
}

/// The options that `SignalRfft` and `SignalIrfft` share.
enum RealSignalLayout {
  /// The most samples of a transform, whose factors are kept from run to run.
  private static let lengthLimit = 1 << 16

  /// The samples of a transform.
  ///
  /// - Throws: `KernelError` where the options do not tell it, or it is odd.
  static func length(_ node: NodeDescription) throws(KernelError) -> Int {
    let length = try node.flexOptions().signalOption("fft_length", in: 4...lengthLimit)
    guard length % 2 == 0 else { throw .invalid("fft_length \(length), wanted an even number") }
    return length
  }

  /// A step for each power of two in a frame, for each of its elements.
  static func work(_ frames: TensorType?) -> Int? {
    guard let shape = frames?.shape, let length = shape.dimensions.last else { return nil }
    return Checked.product(shape.elementCount, Int.bitWidth - length.leadingZeroBitCount)
  }
}

/// The transform between real numbers and half of their spectrum, as kissfft computes it.
package struct RealSignalTransform<Number: SignalNumber>: Sendable {
  /// Real numbers.
  package let length: Int
  let halves: SignalTransform<Number>
  /// exp(∓πi ((f + 1) / (n / 2) + ½)).
  let factors: [SignalComplex<Number>]
  /// Bytes of all factors.
  var byteCount: Int {
    (halves.count + factors.count) * MemoryLayout<SignalComplex<Number>>.stride
  }

  /// The transform of `length` real numbers, or back to them.
  ///
  /// - Throws: `KernelError` where `length` has prime factors that kissfft has no stage for.
  init(length: Int, isInverse: Bool) throws(KernelError) {
    let half = length / 2
    guard let halves = SignalTransform<Number>(count: half, isInverse: isInverse) else {
      throw .invalid("fft_length \(length), wanted prime factors up to 5")
    }
    (self.length, self.halves) = (length, halves)
    factors = (0..<half / 2).map { index in
      let angle: Double = -Double.pi * (Double(index + 1) / Double(half) + 0.5)
      return SignalComplex(angle: isInverse ? -angle : angle)
    }
  }
}
