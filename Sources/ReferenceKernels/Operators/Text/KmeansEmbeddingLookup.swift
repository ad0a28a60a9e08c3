// SPDX-License-Identifier: Apache-2.0

package import Tensors

extension CatalogEntry {
  static let kmeansEmbeddingLookup = CatalogEntry(
    custom: "KmeansEmbeddingLookup", chapter: .text,
    formula: "y[0, e · block + b] = (Σᵢ codebook[encoding[x[0, i], e], b]) / n,   i < n,"
      + " x[0, n] the first 0",
    variants: "i32", optimized: "",
    work: .elements { types in
      Checked.product(types.input(0)?.shape.elementCount, types.outputElementCount)
    }, reads: .everything
  ) { _ in KmeansEmbeddingLookup() }
}

/// `KmeansEmbeddingLookup`: the mean of embeddings whose parts are quantized to a codebook.
///
/// - Input 0: rows of the encoding table, int32, [1, tokens]; a 0 ends them.
/// - Input 1: the encoding table, uint8, [rows, parts]: rows of the codebook.
/// - Input 2: the codebook, float32, [rows, block].
/// - Output 0: float32, [1, parts · block]; zeros where there is no token.
///
/// A row that is not there is an error, and undefined in MediaPipe.
/// MediaPipe: `kmeans_embedding_lookup.cc`.
struct KmeansEmbeddingLookup: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    for (position, type) in [ElementType.int32, .uint8, .float32].enumerated() {
      let input = try node.input(position)
      try input.expect(type, .input(position))
      guard input.shape.rank == 2 else {
        throw .rank(input.shape.rank, wanted: "2", .input(position))
      }
    }
    try node.declaredOutput().expect(.float32, .output(0))
    guard try node.input(0).shape[0] == 1 else {
      throw .invalid("\(try node.input(0).shape[0]) rows of tokens, wanted 1", .input(0))
    }
    let (encoding, codebook) = (try node.input(1).shape, try node.input(2).shape)
    let loop = KmeansEmbeddingLoop(
      partCount: encoding[1], blockLength: codebook[1], encodingCount: encoding[0],
      codeCount: codebook[0])
    let length = try encoding[1].times(codebook[1])
    return Prepared(TensorType(.float32, try Shape.checked([1, length])), LoopKernel(loop))
  }
}

/// The loop of `KmeansEmbeddingLookup`.
package struct KmeansEmbeddingLoop: SteppedLoop {
  /// Parts of an embedding.
  package let partCount: Int
  /// Elements of a part.
  package let blockLength: Int
  /// Rows of the encoding table.
  package let encodingCount: Int
  /// Rows of the codebook.
  package let codeCount: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let tokens = frame.input(0, as: Int32.self)
    let encoding = frame.input(1, as: UInt8.self)
    let codebook = frame.input(2, as: Float.self)
    var output = frame.output(0, as: Float.self)
    var meter = frame.workMeter
    for index in output.indices { output[index] = 0 }
    var count = 0
    while count < tokens.count, tokens[count] != 0 {
      let token = Int(tokens[count])
      guard 0..<encodingCount ~= token else {
        throw .invalid("token \(token) of \(encodingCount)", .input(0))
      }
      for part in 0..<partCount {
        let code = Int(encoding[token * partCount + part])
        guard code < codeCount else { throw .invalid("code \(code) of \(codeCount)", .input(1)) }
        try meter.add(blockLength)
        for offset in 0..<blockLength {
          let target = part * blockLength + offset
          steps.about(target)
          steps.read(tokens, count)
          steps.read(encoding, token * partCount + part)
          let index = code * blockLength + offset
          let value = steps.term(codebook[index], of: codebook, index, named: "codebook")
          output[target] = steps.sum(output[target], value)
        }
      }
      count += 1
    }
    let divisor = Float(max(count, 1))
    for index in output.indices {
      steps.about(index)
      output[index] = steps.quotient(output[index], divisor, "mean of the tokens")
    }
  }
}
