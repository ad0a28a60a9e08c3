// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let multinomial = CatalogEntry(
    .multinomial, chapter: .random,
    formula: """
      y[b, j] = the first class c with u · Σₖ eₖ < Σ_{k ≤ c} eₖ,   \
      eₖ = exp(x[b, k] − max x[b])
      """,
    versions: .upTo(1),
    variants: "i32 i64", optimized: "",
    work: .elements { types in
      // Each draw takes a block of random words, and halves the classes until one is left.
      let steps = types.input(0)?.shape.dimensions.last.map {
        Int.bitWidth - $0.leadingZeroBitCount
      }
      return Checked.sum([
        types.input(0)?.shape.elementCount,
        Checked.product(types.outputElementCount, steps ?? nil),
      ])
    }, reads: .everything
  ) { node throws(KernelError) in Multinomial(stream: RandomStream(try node.options())) }
}

/// `MULTINOMIAL`: random classes, drawn with probabilities that are given as logits.
///
/// - Input 0: the logits, float32, `[batch, classes]`; one that is not finite has probability 0.
/// - Input 1: how many classes to draw for each row, an int32 scalar.
/// - Output: int32 or int64, `[batch, draws]`.
///
/// Everything is computed in double precision; u takes two words of a `RandomStream`, so that two
/// draws take a block. Where no logit of a row is finite, the result is the number of classes.
/// TFLite: `random_ops.cc`.
struct Multinomial: Operator {
  let stream: RandomStream

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (logits, draws) = (try node.input(0), try node.input(1))
    try logits.expect(.float32, .input(0))
    try draws.expect(.int32, .input(1))
    guard logits.shape.rank == 2 else { throw .rank(logits.shape.rank, wanted: "2", .input(0)) }
    guard draws.shape.rank == 0 else { throw .rank(draws.shape.rank, wanted: "0", .input(1)) }
    guard logits.shape[1] > 0 else { throw .invalid("no classes to draw from", .input(0)) }
    let shape = try Shape.checked([logits.shape[0], try node.integer(1)])
    let declared = try node.declaredOutput()
    let kernel: any Kernel
    switch declared.elementType {
    case .int32:
      kernel = LoopKernel(MultinomialLoop<Int32>(stream: stream, logits.shape, draws: shape[1]))
    case .int64:
      kernel = LoopKernel(MultinomialLoop<Int64>(stream: stream, logits.shape, draws: shape[1]))
    case let other: throw .elementType(other, .output(0))
    }
    var prepared = Prepared(TensorType(declared.elementType, shape), kernel)
    prepared.isPure = false
    return prepared
  }
}

/// The loop of `MULTINOMIAL`.
package struct MultinomialLoop<Index: TensorElement & FixedWidthInteger>: SteppedLoop {
  /// Where the random words come from.
  package let stream: RandomStream
  /// Rows of logits.
  package let batchCount: Int
  /// Classes to draw from.
  package let classCount: Int
  /// Draws for each row.
  package let drawCount: Int

  init(stream: RandomStream, _ logits: Shape, draws: Int) {
    self.stream = stream
    batchCount = logits[0]
    classCount = logits[1]
    drawCount = draws
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let logits = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Index.self)
    // TensorFlow skips this many blocks, whatever it uses: an old version drew an unknown number.
    let skipped = UInt64(batchCount) &* UInt64((drawCount + 3) / 4 * 4) &* 512
    let first = steps.blocks(skipped, stream.claim)
    guard drawCount > 0 else { return }
    var sums = [Double](repeating: 0, count: classCount)
    for batch in 0..<batchCount {
      let row = logits.extracting(batch * classCount..<(batch + 1) * classCount)
      let draws = batch * drawCount..<(batch + 1) * drawCount
      steps.about(draws)
      let total = Self.accumulate(row, &sums, &steps)
      for draw in draws {
        let number = first &+ UInt64(draw / 2)
        let words = stream.block(number)
        let part =
          draw % 2 == 0
          ? Double(randomBits: words.0, words.1) : Double(randomBits: words.2, words.3)
        steps.about(draw)
        steps.note("block", "of the node's stream of random words", number)
        steps.note("u", "52 bits of two random words / 2^52", part)
        steps.note("threshold", "\(part) × \(total)", part * total)
        let category = Self.firstPosition(in: sums, above: part * total)
        if category < classCount {
          steps.note("sum", "up to class \(category), above the threshold", sums[category])
        }
        output[draw] = steps.note(
          "class", "the first one whose sum is above the threshold", Index(category))
      }
    }
  }

  /// The sums of unnormalized probabilities up to each class, and the whole.
  @inline(__always)
  private static func accumulate(
    _ logits: Span<Float>, _ sums: inout [Double], _ steps: inout some Steps
  ) -> Double {
    var largest = -Float.greatestFiniteMagnitude
    for index in logits.indices where logits[index].isFinite {
      largest = max(largest, logits[index])
    }
    var total = 0.0
    for index in logits.indices {
      let weight =
        logits[index].isFinite ? FloatMath.exp(Double(logits[index]) - Double(largest)) : 0
      total += steps.term(weight, of: logits, index)
      sums[index] = total
    }
    return steps.note("total", "of exp(logit - \(largest))", total)
  }

  private static func firstPosition(in sums: [Double], above value: Double) -> Int {
    var (low, high) = (0, sums.count)
    while low < high {
      let middle = (low + high) / 2
      if value < sums[middle] { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
