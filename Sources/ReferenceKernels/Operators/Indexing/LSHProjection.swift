// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let lshProjection = CatalogEntry(
    .lshProjection, chapter: .indexing,
    formula: "bit[i, j] = 1 where Σ over k of w[k] · fingerprint(seed[i, j], x[k]) > 0, else 0",
    versions: .upTo(1),
    variants: "f32 i32 i64 i8", optimized: "",
    work: .elements { types in
      // A fingerprint for each seed and item takes longer the longer the item is.
      Checked.product(types.input(0)?.shape.elementCount, types.input(1)?.byteCount)
    }, reads: .everything
  ) { node throws(KernelError) in LSHProjection(options: try node.options()) }
}

/// `LSH_PROJECTION`: bits that are likely the same for similar inputs (locality-sensitive hashing).
///
/// - Input 0: the seeds, float32, `[hashes, bits]` with up to 32 bits.
/// - Input 1: the items; `x[k]` are the bytes of slice k along the first axis.
/// - Input 2: their weights, float32; optional, 1 where absent.
/// - Output: int32. DENSE gives all bits, `[hashes · bits]`; SPARSE one number for each hash, its
///   bits read as binary digits plus `i · 2ᵇⁱᵗˢ`, so that hashes do not meet.
///
/// A fingerprint is that of the seed's and the item's bytes, see `Fingerprint64`, taken as a signed
/// number in double precision. With 32 bits, 2ᵇⁱᵗˢ is 1: x86 shifts modulo 32.
/// TFLite: `lsh_projection.cc`.
struct LSHProjection: Operator {
  let options: LSHProjectionOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...3)
    let (seeds, items) = (try node.input(0), try node.input(1))
    try seeds.expect(.float32, .input(0))
    guard seeds.shape.rank == 2 else { throw .rank(seeds.shape.rank, wanted: "2", .input(0)) }
    guard seeds.shape[1] <= 32 else {
      throw .invalid("\(seeds.shape[1]) bits, wanted at most 32", .input(0))
    }
    guard let itemCount = items.shape.dimensions.first, itemCount >= 1 else {
      throw .invalid("shape \(items.shape), wanted at least one item", .input(1))
    }
    guard let bits = items.elementType.bitCount, bits >= 8, let byteCount = items.byteCount else {
      throw .elementType(items.elementType, .input(1))
    }
    if let weights = node.optionalInput(2) {
      try weights.expect(.float32, .input(2))
      guard weights.shape.dimensions == [itemCount] else {
        throw .invalid("shape \(weights.shape) for \(itemCount) items", .input(2))
      }
    }
    try node.declaredOutput().expect(.int32, .output(0))
    let length: Int
    switch options.type {
    case .sparse: length = seeds.shape[0]
    case .dense: length = seeds.shape.elementCount
    case .unknown: throw .invalid("type of projection is not set")
    }
    return Prepared(
      try node.declaredOutput().with(shape: try Shape.checked([length])),
      LoopKernel(
        LSHProjectionLoop(
          isSparse: options.type == .sparse, bitCount: seeds.shape[1],
          hashCount: seeds.shape[0], itemCount: itemCount, itemLength: byteCount / itemCount,
          elementSize: bits / 8)))
  }
}

/// The loop of `LSH_PROJECTION`.
package struct LSHProjectionLoop: SteppedLoop {
  /// Whether the bits of a hash make one number.
  package let isSparse: Bool
  /// Bits of a hash.
  package let bitCount: Int
  /// Hashes.
  package let hashCount: Int
  /// Items.
  package let itemCount: Int
  /// Bytes of an item.
  package let itemLength: Int
  /// Bytes of an element of an item.
  let elementSize: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let seeds = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Int32.self)
    for hash in 0..<hashCount {
      var digits: Int32 = 0
      for index in hash * bitCount..<(hash + 1) * bitCount {
        steps.about(isSparse ? hash : index)
        let score = steps.note(
          "score", "sum of weighted fingerprints with the seed \(seeds[index])",
          score(steps.read(seeds, index), frame))
        let bit: Int32 = steps.note("bit", "whether the score is above 0", score > 0 ? 1 : 0)
        if !isSparse { output[index] = bit }
        digits = digits << 1 | bit
      }
      if isSparse {
        let step = Int32(1) &<< Int32(bitCount)
        steps.note("digits", "the bits as binary digits", digits)
        output[hash] = steps.sum(digits, Int32(truncatingIfNeeded: hash) &* step, "number")
      }
    }
    guard steps.areTold else { return }
    steps.about(output.indices)
    for index in 0..<itemCount * itemLength / elementSize {
      steps.read(element: index, ofInput: 1)
    }
    let weights = frame.input(2, as: Float.self)
    for item in weights.indices { steps.read(weights, item) }
  }

  /// The weighted sum of the items' fingerprints.
  private func score(_ seed: Float, _ frame: borrowing TensorFrame) -> Double {
    let items = frame.input(1, as: UInt8.self)
    let weights = frame.input(2, as: Float.self)
    var key = [UInt8](repeating: 0, count: 4 + itemLength)
    for byte in 0..<4 {
      key[byte] = UInt8(truncatingIfNeeded: seed.bitPattern >> UInt32(8 * byte))
    }
    var score = 0.0
    for item in 0..<itemCount {
      for offset in 0..<itemLength { key[4 + offset] = items[item * itemLength + offset] }
      let fingerprint = Double(Int64(bitPattern: Fingerprint64.of(key.span)))
      score += weights.isEmpty ? fingerprint : Double(weights[item]) * fingerprint
    }
    return score
  }
}
