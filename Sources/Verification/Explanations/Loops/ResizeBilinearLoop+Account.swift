// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension ResizedPictures {
  /// Batch, row, column and channel of the element of the result at a flat index.
  fileprivate func place(of flat: Int) -> (batch: Int, row: Int, column: Int, channel: Int) {
    let index = shape.index(ofFlat: flat)
    return (index[0], index[1], index[2], index[3])
  }

  /// The flat index of an element of the pictures.
  fileprivate func flat(batch: Int, row: Int, column: Int, channel: Int) -> Int {
    ((batch * height + row) * width + column) * depth + channel
  }
}

extension ResizeBilinearLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let place = pictures.place(of: output.flat)
    let (row, column) = (rows.place(place.row), columns.place(place.column))
    let (u, v) = (row.fraction, column.fraction)
    var steps = StepList()
    steps.add("row fraction", "row \(place.row) is that far below row \(row.lower)", .float(u))
    steps.add(
      "column fraction", "column \(place.column) is that far right of column \(column.lower)",
      .float(v))
    // Top left, bottom left, top right, bottom right; float32 rounds each product.
    let corners: [(Int, Int, Float, Float)] = [
      (row.lower, column.lower, 1 - u, 1 - v), (row.upper, column.lower, u, 1 - v),
      (row.lower, column.upper, 1 - u, v), (row.upper, column.upper, u, v),
    ]
    var terms: [ExplainedTerm] = []
    var sum: Float?
    for (row, column, first, second) in corners {
      let flat = pictures.flat(
        batch: place.batch, row: row, column: column, channel: place.channel)
      guard let value: Element = node.value(0, flat) else { return nil }
      let product = value.float * first * second
      sum = sum.map { $0 + product } ?? product
      guard let term = node.term(0, flat, value: .float(product)) else { return nil }
      terms.append(term)
    }
    let total = steps.add("sum", "of the four neighbours, each with its share", float: sum ?? 0)
    let stored = StoredValue(Element(interpolated: total))
    steps.add("stored", "\(total) as \(Element.elementType.schemaName)", stored)
    return NodeAccount(terms: terms, steps: steps, result: stored)
  }
}

extension ResizeBilinearIntegerLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let place = pictures.place(of: output.flat)
    let (row, column) = (rows.place(place.row), columns.place(place.column))
    let (u, v) = (row.fraction, column.fraction)
    let one: Int64 = 1 << 10
    var steps = StepList()
    steps.add(
      "row fraction", "row \(place.row) is that many 1/1024 below row \(row.lower)", integer: u)
    steps.add(
      "column fraction",
      "column \(place.column) is that many 1/1024 right of column \(column.lower)", integer: v)
    let corners: [(Int, Int, Int64)] = [
      (row.lower, column.lower, (one - u) * (one - v)), (row.upper, column.lower, u * (one - v)),
      (row.lower, column.upper, (one - u) * v), (row.upper, column.upper, u * v),
    ]
    var terms: [ExplainedTerm] = []
    var products: Int64 = 0
    for (row, column, share) in corners {
      let flat = pictures.flat(
        batch: place.batch, row: row, column: column, channel: place.channel)
      guard let value: Element = node.value(0, flat) else { return nil }
      let product = Int64(value) * share
      products += product
      guard let term = node.term(0, flat, value: .integer(Int(product))) else { return nil }
      terms.append(term)
    }
    let sum = steps.add(
      "sum", "of the four neighbours, each with its share of 2^20", integer: products)
    let half: Int64 = 1 << 19
    let isDouble = rounding == .double
    let magnitude = Int64((sum.magnitude + UInt64(half)) >> 20)
    let rounded = isDouble ? (sum < 0 ? -magnitude : magnitude) : (sum + half) >> 20
    let stored = steps.add(
      "rounding",
      "round(\(sum) / 2^20), halves \(isDouble ? "away from zero" : "up")",
      integer: Element(truncatingIfNeeded: rounded))
    return NodeAccount(terms: terms, steps: steps, result: StoredValue(integer: stored))
  }
}
