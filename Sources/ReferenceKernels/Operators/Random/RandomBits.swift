// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
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
      ],
      kernel: LoopKernel(
        RandomBitsLoop(
          isThreefry: isThreefry, wordsPerNumber: (bits.elementType.bitCount ?? 32) / 32)))
  }
}

/// The loop of `STABLEHLO_RNG_BIT_GENERATOR`, over 32-bit words whatever the output's type.
package struct RandomBitsLoop: SteppedLoop {
  /// Whether the algorithm is Threefry, not Philox.
  package let isThreefry: Bool
  /// Words of an element of the output.
  let wordsPerNumber: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let state = frame.input(0, as: UInt64.self)
    var next = frame.output(0, as: UInt64.self)
    for index in next.indices where index != 1 {
      steps.about(index)
      next[index] = steps.moved(state, index)
    }
    let first = state[1]
    let blocks = isThreefry ? threefry(frame, state, &steps) : philox(frame, state, &steps)
    steps.about(1)
    for index in state.indices { steps.read(state, index) }
    steps.note("blocks", "of \(isThreefry ? 2 : 4) words each", blocks)
    next[1] = steps.sum(first, blocks, "counter")
  }

  /// Fills the output and gives the number of blocks that it takes.
  private func threefry(
    _ frame: borrowing TensorFrame, _ state: Span<UInt64>, _ steps: inout some Steps
  ) -> UInt64 {
    var output = frame.output(1, as: UInt32.self)
    let key = Self.words(state[0])
    var block: UInt64 = 0
    for start in stride(from: 0, to: output.count, by: 2) {
      let counter = state[1] &+ block
      let words = CounterGenerators.threefry(Self.words(counter), key: key)
      tell(words.0, start, counter, state, &steps)
      output[start] = words.0
      if start + 1 < output.count {
        tell(words.1, start + 1, counter, state, &steps)
        output[start + 1] = words.1
      }
      block &+= 1
    }
    return block
  }

  private func philox(
    _ frame: borrowing TensorFrame, _ state: Span<UInt64>, _ steps: inout some Steps
  ) -> UInt64 {
    var output = frame.output(1, as: UInt32.self)
    let key = Self.words(state[0])
    let upper = Self.words(state[state.count == 3 ? 2 : 0])
    var block: UInt64 = 0
    for start in stride(from: 0, to: output.count, by: 4) {
      let counter = state[1] &+ block
      let lower = Self.words(counter)
      let words = CounterGenerators.philox((lower.0, lower.1, upper.0, upper.1), key: key)
      let all: InlineArray<4, UInt32> = [words.0, words.1, words.2, words.3]
      for index in start..<min(start + 4, output.count) {
        tell(all[index - start], index, counter, state, &steps)
        output[index] = all[index - start]
      }
      block &+= 1
    }
    return block
  }

  /// The word at an index of the output.
  @inline(__always)
  private func tell(
    _ word: UInt32, _ index: Int, _ counter: UInt64, _ state: Span<UInt64>,
    _ steps: inout some Steps
  ) {
    steps.about(index / wordsPerNumber, ofOutput: 1)
    if index.isMultiple(of: wordsPerNumber) {
      for part in state.indices { steps.read(state, part) }
    }
    steps.note("counter", "of the block", counter)
    steps.note(
      "word",
      "\(isThreefry ? "Threefry" : "Philox") of the counter under the key \(state[0])", word)
  }

  private static func words(_ value: UInt64) -> (UInt32, UInt32) {
    (UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32))
  }
}
