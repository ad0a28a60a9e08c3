// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let randomStandardNormal = CatalogEntry(
    .randomStandardNormal, chapter: .random, formula: nil, versions: .upTo(1),
    variants: "f32 f32_unseeded", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    RandomNumbers(stream: RandomStream(try node.options()), isNormal: true)
  }

  static let randomUniform = CatalogEntry(
    .randomUniform, chapter: .random, formula: nil, versions: .upTo(1),
    variants: "f32 f32_unseeded", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    RandomNumbers(stream: RandomStream(try node.options()), isNormal: false)
  }
}

/// `RANDOM_UNIFORM` and `RANDOM_STANDARD_NORMAL`: a tensor of random numbers.
///
/// - Input 0: the output's shape, int32.
/// - Output: float32.
///
/// The numbers are those of a `RandomStream`, in order; an invocation goes on where the one before
/// it ended, leaving out what is left of a block. TFLite: `random_ops.cc`.
struct RandomNumbers: Operator {
  let stream: RandomStream
  let isNormal: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    try input.expect(.int32, .input(0))
    guard input.shape.rank == 1 else { throw .rank(input.shape.rank, wanted: "1", .input(0)) }
    let declared = try node.declaredOutput()
    guard declared.elementType == .float32 else {
      throw .elementType(declared.elementType, .output(0))
    }
    let type = TensorType(.float32, try Shape.checked(try node.integers(0)))
    let kernel: any Kernel =
      isNormal
      ? LoopKernel(RandomLoop<NormalNumbers>(stream: stream))
      : LoopKernel(RandomLoop<UniformNumbers>(stream: stream))
    var prepared = Prepared(type, kernel)
    prepared.isPure = false
    return prepared
  }
}

/// How two random words become two random numbers.
package protocol RandomDistribution: Sendable {
  /// The numbers of a pair of words, of which the first becomes the element at `index`.
  static func numbers(
    _ first: UInt32, _ second: UInt32, at index: Int, _ steps: inout some Steps
  ) -> (Float, Float)
}

/// Numbers in 0..<1, all equally likely.
package enum UniformNumbers: RandomDistribution {
  @inline(__always)
  package static func numbers(
    _ first: UInt32, _ second: UInt32, at index: Int, _ steps: inout some Steps
  ) -> (Float, Float) {
    steps.about(index)
    let a = steps.uniform(first, "number")
    steps.about(index + 1)
    return (a, steps.uniform(second, "number"))
  }
}

/// Normally distributed numbers of mean 0 and variance 1, by Box and Muller's transformation.
///
///     y₀ = sin(2π u₁) · √(−2 ln u₀)      y₁ = cos(2π u₁) · √(−2 ln u₀)
///
/// u₀ is 10⁻⁷ at least. The angle is formed in double precision and then rounded.
/// TensorFlow: `random_distributions_utils.h`.
package enum NormalNumbers: RandomDistribution {
  @inline(__always)
  package static func numbers(
    _ first: UInt32, _ second: UInt32, at index: Int, _ steps: inout some Steps
  ) -> (Float, Float) {
    steps.about(index..<index + 2)
    let u = steps.uniform(first, "u₀")
    let radius = steps.note(
      "radius", "√(-2 × ln max(\(u), 1e-07))", (-2 * FloatMath.log(max(u, 1e-7))).squareRoot())
    let turn = steps.uniform(second, "u₁")
    let angle = steps.note("angle", "2π × \(turn)", Float(2 * Double.pi * Double(turn)))
    steps.about(index)
    let a = steps.product(FloatMath.sin(angle), radius, "number")
    steps.about(index + 1)
    return (a, steps.product(FloatMath.cos(angle), radius, "number"))
  }
}

/// The loop of `RANDOM_UNIFORM` and `RANDOM_STANDARD_NORMAL`.
package struct RandomLoop<Distribution: RandomDistribution>: SteppedLoop {
  /// Where the random words come from.
  package let stream: RandomStream

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    var output = frame.output(0, as: Float.self)
    let count = output.count
    var number = steps.blocks(UInt64((count + 3) / 4), stream.claim)
    for start in stride(from: 0, to: count, by: 4) {
      steps.about(start..<start + 4)
      steps.note("block", "of the node's stream of random words", number)
      let words = stream.block(number)
      number &+= 1
      let (a, b) = Distribution.numbers(words.0, words.1, at: start, &steps)
      let (c, d) = Distribution.numbers(words.2, words.3, at: start + 2, &steps)
      output[start] = a
      if start + 1 < count { output[start + 1] = b }
      if start + 2 < count { output[start + 2] = c }
      if start + 3 < count { output[start + 3] = d }
    }
  }
}

extension Steps {
  /// A number in 0..<1 made of a random word.
  @inline(__always)
  fileprivate mutating func uniform(_ word: UInt32, _ name: StaticString) -> Float {
    let bits = note("\(name)", "the 23 lowest bits of \(word)", word & 0x7F_FFFF)
    return note("\(name)", "\(bits) / 2^23", Float(randomBits: word))
  }
}
