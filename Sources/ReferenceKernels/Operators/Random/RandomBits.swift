// SPDX-License-Identifier: Apache-2.0

import ModelFormat
package import Tensors

extension CatalogEntry {
  /// `STABLEHLO_RNG_BIT_GENERATOR`.
  static let stablehloRngBitGenerator = CatalogEntry(
    .stablehloRngBitGenerator, chapter: .random, formula: nil, versions: .upTo(1),
    variants: """
      default_u32 default_i32 default_u64 default_i64 philox_u32 philox_i32 philox_u64 \
      philox_i64 threefry_u32 threefry_i32 threefry_u64 threefry_i64
      """,
    optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in RandomBits(options: try node.options()) }
}

/// `STABLEHLO_RNG_BIT_GENERATOR`: random bits, and the state that continues them.
///
/// - Input 0: the state, uint64: `[2]`, for Philox also `[3]`. In 32-bit words, lower ones first,
///   it holds the key (two words) and the counter.
/// - Output 0: the state for what comes next.
/// - Output 1: int32, uint32, int64 or uint64, of the declared shape.
///
/// Each block of bits is `CounterGenerators` of the counter, whose lower 64 bits are then raised by
/// 1. Philox's counter has two more words: a third element of the state, or else the key again.
/// What is left of the last block is dropped. TFLite: `rng_bit_generator.cc`.
struct RandomBits: Operator {
  let options: StablehloRngBitGeneratorOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1, outputs: 2)
    let state = try node.input(0)
    try state.expect(.uint64, .input(0))
    guard state.shape.rank == 1 else { throw .rank(state.shape.rank, wanted: "1", .input(0)) }
    let isThreefry = options.algorithm == .threefry
    guard state.shape[0] == 2 || (state.shape[0] == 3 && !isThreefry) else {
      throw .invalid("state of \(state.shape[0]) elements for \(options.algorithm)", .input(0))
    }
    try node.declaredOutput(0).expect(.uint64, .output(0))
    let bits = try node.declaredOutput(1)
    switch bits.elementType {
    case .int32, .uint32, .int64, .uint64: break
    case let other: throw .elementType(other, .output(1))
    }
    return Prepared(
      outputs: [
        TensorType(.uint64, state.shape), TensorType(bits.elementType, bits.shape),
      ], kernel: LoopKernel(RandomBitsLoop(isThreefry: isThreefry)))
  }
}

/// The loop of `STABLEHLO_RNG_BIT_GENERATOR`, over 32-bit words whatever the output's type.
package struct RandomBitsLoop: KernelLoop {
  /// Whether the algorithm is Threefry, not Philox.
  package let isThreefry: Bool

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let state = frame.input(0, as: UInt64.self)
    var next = frame.output(0, as: UInt64.self)
    for index in next.indices { next[index] = state[index] }
    next[1] = isThreefry ? threefry(frame, state) : philox(frame, state)
  }

  /// Fills the output and gives the counter that comes next.
  private func threefry(_ frame: borrowing TensorFrame, _ state: Span<UInt64>) -> UInt64 {
    var output = frame.output(1, as: UInt32.self)
    let key = Self.words(state[0])
    var counter = state[1]
    for start in stride(from: 0, to: output.count, by: 2) {
      let words = CounterGenerators.threefry(Self.words(counter), key: key)
      output[start] = words.0
      if start + 1 < output.count { output[start + 1] = words.1 }
      counter &+= 1
    }
    return counter
  }

  private func philox(_ frame: borrowing TensorFrame, _ state: Span<UInt64>) -> UInt64 {
    var output = frame.output(1, as: UInt32.self)
    let key = Self.words(state[0])
    let upper = Self.words(state[state.count == 3 ? 2 : 0])
    var counter = state[1]
    for start in stride(from: 0, to: output.count, by: 4) {
      let lower = Self.words(counter)
      let words = CounterGenerators.philox((lower.0, lower.1, upper.0, upper.1), key: key)
      output[start] = words.0
      if start + 1 < output.count { output[start + 1] = words.1 }
      if start + 2 < output.count { output[start + 2] = words.2 }
      if start + 3 < output.count { output[start + 3] = words.3 }
      counter &+= 1
    }
    return counter
  }

  private static func words(_ value: UInt64) -> (UInt32, UInt32) {
    (UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32))
  }
}
