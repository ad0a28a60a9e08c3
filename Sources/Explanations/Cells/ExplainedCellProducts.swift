// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A vector as it is multiplied.
struct EncodedVector<Quantized: TensorElement> {
  let vector: CellVector<Float>
  let quantizedValues: [Quantized]
  /// What the quantized values stand for.
  let meaning: Affine
}

/// A row of a matrix of weights, and which of the vectors that are multiplied at once it meets.
struct CellRow {
  /// The input that the matrix is.
  let position: Int
  let row: Int
  /// Rows of the matrix.
  let count: Int
  /// The number of the vector.
  var location = 0
}

/// Matrix products of a cell that can tell their steps.
protocol ExplainedCellProducts: CellProducts {
  /// The product of a row of weights and a vector, added to `start` if there is one; `input` is
  /// what the cell's input is encoded as.
  func sum(
    _ row: CellRow, _ vector: EncodedVector<Quantized>, input: Affine, addedTo start: Float?,
    _ record: inout CellRecord
  ) -> Float
}

extension ExplainedCellProducts {
  /// A vector as it is multiplied.
  func encode(_ vector: CellVector<Float>) -> EncodedVector<Quantized> {
    let bytes = TensorBytes(zeroed: vector.elements.count * MemoryLayout<Quantized>.stride)
    var locations = bytes.mutableSpan(as: Quantized.self)
    let meaning = encode(vector.elements.span, into: &locations)
    var quantizedValues: [Quantized] = []
    quantizedValues.reserveCapacity(vector.elements.count)
    for index in locations.indices { quantizedValues.append(locations[index]) }
    return EncodedVector(vector: vector, quantizedValues: quantizedValues, meaning: meaning)
  }

  /// The products of numbers, as they are, with weights of the input at `position`.
  func products(
    _ numbers: CellVector<Float>, _ weights: CellVector<Quantized>, of position: Int,
    _ record: inout CellRecord
  ) -> [Float] {
    let products = zip(numbers.elements, weights.elements).map { real($1, at: position) * $0 }
    record.list(numbers, weights, products) { .float($0) }
    return products
  }
}

extension FloatCellProducts: ExplainedCellProducts {
  func sum(
    _ row: CellRow, _ vector: EncodedVector<Float>, input: Affine, addedTo start: Float?,
    _ record: inout CellRecord
  ) -> Float {
    let columns = vector.quantizedValues.count
    let products = record.products(
      vector.vector, record.node.row(row.row, of: row.position, count: columns))
    switch library {
    case .neon: return record.steps.sum(products, .inTurn, start: start ?? 0)
    case .eigen(let vectorCount):
      let order = LaneSum.Order.eigen(
        row: row.row, of: row.count, column: row.location, of: vectorCount, depth: columns)
      let sum = record.steps.sum(products, order)
      return start.map { record.steps.total(sum, $0) } ?? sum + 0
    }
  }
}

extension HybridCellProducts: ExplainedCellProducts {
  func sum(
    _ row: CellRow, _ vector: EncodedVector<Int8>, input: Affine, addedTo start: Float?,
    _ record: inout CellRecord
  ) -> Float {
    let meaning = dequantization(of: vector.meaning, input: input, weights: row.position)
    let arithmetic = arithmetic(meaning, weights: row.position)
    let weights = record.node.row(
      row.row, of: row.position, count: vector.quantizedValues.count, as: Int8.self)
    let products = zip(vector.quantizedValues, weights.elements).map {
      (Int($0) - Int(meaning.zeroPoint)) * Int($1)
    }
    record.list(vector.vector, quantizedValues: vector.quantizedValues, weights, products) {
      .integer($0)
    }
    record.steps.tell(meaning, of: isSparse[row.position] ? "the input" : "these numbers")
    let scale = record.steps.add(
      "weight scale", "of input \(row.position)", float: scales[row.position])
    let sum = record.steps.sum(products, as: Int32.self)
    let real = arithmetic.real(sum, filterScale: scale, &record.steps)
    let total = start.map { record.steps.total(real, $0) } ?? real + 0
    return record.steps.activate(total, arithmetic.range)
  }
}
