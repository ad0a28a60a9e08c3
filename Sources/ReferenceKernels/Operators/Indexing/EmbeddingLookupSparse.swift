// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

extension CatalogEntry {
  static let embeddingLookupSparse = CatalogEntry(
    .embeddingLookupSparse, chapter: .indexing,
    formula: """
      y[p…, i…] = Σ w[j] · table[id[j], i…] / n[p…]   over all j with indices[j] = (p…, any)
      """,
    versions: .upTo(1),
    variants: "f32", optimized: "",
    work: .elements { types in
      let row = types.input(4)?.shape.dimensions.dropFirst().map(Optional.some)
      return Checked.sum([
        types.outputElementCount,
        Checked.product([types.input(0)?.shape.elementCount] + (row ?? [nil])),
      ])
    }, reads: .rows(of: 4, by: 0)
  ) { node throws(KernelError) in EmbeddingLookupSparse(options: try node.options()) }
}

/// `EMBEDDING_LOOKUP_SPARSE`: weighted sums of rows of a table, given as a sparse matrix.
///
/// - Input 0: the rows' indices `id`, int32.
/// - Input 1: where they belong, int32; the last coordinate only tells them apart.
/// - Input 2: the sparse matrix' shape, int32; the output has it without its last axis.
/// - Input 3: the weights, float32.
/// - Input 4: the table, float32, of rank 2 at least.
///
/// `n` is 1 (SUM), Σ w (MEAN) or √Σ w² (SQRTN). A sum is finished where the next entry belongs
/// elsewhere: entries that come back to a position are added to what was divided before, and the
/// sum is divided again. Coordinates outside of the shape are an error; TFLite writes out of
/// bounds. TFLite: `embedding_lookup_sparse.cc`.
struct EmbeddingLookupSparse: Operator {
  let options: EmbeddingLookupSparseOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 5...5)
    for (position, rank) in [1, 2, 1, 1].enumerated() {
      let input = try node.input(position)
      try input.expect(position == 3 ? .float32 : .int32, .input(position))
      guard input.shape.rank == rank else {
        throw .rank(input.shape.rank, wanted: "\(rank)", .input(position))
      }
    }
    let (indices, table) = (try node.input(1), try node.input(4))
    try table.expect(.float32, .input(4))
    guard table.shape.rank >= 2 else {
      throw .rank(table.shape.rank, wanted: "at least 2", .input(4))
    }
    let count = try node.input(0).shape[0]
    guard indices.shape[0] == count else {
      throw .invalid("shape \(indices.shape) for \(count) indices", .input(1))
    }
    guard try node.input(3).shape[0] == count else {
      throw .invalid("\(try node.input(3).shape[0]) weights for \(count) indices", .input(3))
    }
    let lengths = try node.values(2, as: Int32.self).map { Int($0) }
    guard lengths.count == indices.shape[1], !lengths.isEmpty else {
      throw .invalid("\(lengths.count) lengths for \(indices.shape[1]) coordinates", .input(2))
    }
    let locations = Array(lengths.dropLast())
    let embedding = table.shape.dimensions.dropFirst()
    let output = TensorType(
      .float32, try Shape.checked(locations + embedding),
      quantization: try node.declaredOutput().quantization)
    let rows = TableRows(count: table.shape[0], length: embedding.reduce(1, *))
    return Prepared(
      output,
      LoopKernel(
        EmbeddingSumLoop(
          rows: rows, locations: try Shape.checked(locations), combiner: options.combiner)))
  }
}

/// The loop of `EMBEDDING_LOOKUP_SPARSE`.
package struct EmbeddingSumLoop: SteppedLoop {
  /// The table.
  package let rows: TableRows
  /// The axes of the output that hold embeddings.
  package let locations: Shape
  /// What sums are divided by.
  package let combiner: CombinerType

  /// The sum that is being made.
  private struct Sum {
    var location: Int
    var isEmpty = true
    var weight: Float = 0
    var squaredWeight: Float = 0
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let ids = frame.input(0, as: Int32.self)
    let indices = frame.input(1, as: Int32.self)
    let weights = frame.input(3, as: Float.self)
    let table = frame.input(4, as: Float.self)
    var output = frame.output(0, as: Float.self)
    for index in output.indices { output[index] = 0 }
    var sum = Sum(location: 0)
    for entry in ids.indices {
      if entry % 64 == 0 { try frame.checkProgress() }
      let source = try rows.row(ids[entry]) * rows.length
      let location = try location(of: entry, indices)
      if location != sum.location {
        finish(sum, &output, &steps)
        sum = Sum(location: location)
      }
      let weight = weights[entry]
      sum.isEmpty = false
      sum.weight += weight
      sum.squaredWeight += weight * weight
      let target = location * rows.length
      for offset in 0..<rows.length {
        steps.about(target + offset)
        let product = steps.term(
          table[source + offset] * weight, of: table, source + offset, weights, entry)
        output[target + offset] = steps.sum(output[target + offset], product)
      }
    }
    finish(sum, &output, &steps)
  }

  /// Which embedding of the output an entry belongs to.
  private func location(of entry: Int, _ indices: Span<Int32>) throws(KernelError) -> Int {
    var location = 0
    for axis in 0..<locations.rank {
      let index = indices[entry * (locations.rank + 1) + axis]
      guard index >= 0, Int(index) < locations[axis] else {
        throw .invalid("index \(index) along axis \(axis) of length \(locations[axis])", .input(1))
      }
      location = location * locations[axis] + Int(index)
    }
    return location
  }

  private func finish(
    _ sum: Sum, _ output: inout MutableSpan<Float>, _ steps: inout some Steps
  ) {
    guard !sum.isEmpty else { return }
    let start = sum.location * rows.length
    steps.about(start..<start + rows.length)
    let divisor: Float
    switch combiner {
    case .sum: return
    case .mean: divisor = steps.note("divisor", "sum of the weights", sum.weight)
    case .sqrtN: divisor = steps.squareRoot(sum.squaredWeight)
    }
    for index in start..<start + rows.length {
      steps.about(index)
      output[index] = steps.quotient(output[index], divisor, "mean")
    }
  }
}
