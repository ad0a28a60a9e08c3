// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `SVDF` with a float state and constant weights: the same sums in the same order as the
/// reference kernel.
struct FloatFilters<Products: CellProducts>: Sendable {
  private let layout: SVDFLayout
  private let products: Products
  private let activation: CellActivation
  /// The real weights of all filters for the steps they see.
  private let time: [Float]

  /// The filters of `loop` with other products; nil where the weights for steps are no constants.
  init?<Base: CellProducts>(
    _ loop: SVDFLoop<Base>, _ products: Products, _ node: PrepareContext
  ) where Base.Quantized == Products.Quantized {
    let count = loop.layout.filterCount * loop.layout.memoryCount
    guard let operand = node.inputs[2], operand.isConstant, let bytes = operand.bytes,
      bytes.byteCount >= count * MemoryLayout<Products.Quantized>.stride
    else { return nil }
    layout = loop.layout
    self.products = products
    activation = loop.activation
    let quantizedValues = bytes.span(as: Products.Quantized.self)
    time = (0..<count).map { products.real(quantizedValues[$0], at: 2) }
  }

  /// What the filters do, compiled for the products where these are known.
  @inline(__always)
  var run: CellRun { { frame in evaluate(frame) } }

  @inline(__always)
  private func evaluate(_ frame: borrowing TensorFrame) {
    let input = frame.input(0, as: Float.self)
    var quantizedValues = frame.scratch(0, as: Products.Quantized.self)
    var features = frame.scratch(1, as: Float.self)
    for batch in 0..<layout.batchCount {
      let vector = input.extracting(batch * layout.inputCount..<(batch + 1) * layout.inputCount)
      let product = CellProduct(
        weights: 1, rows: layout.filterCount, columns: layout.inputCount,
        vector: products.encode(vector, into: &quantizedValues), location: batch)
      var steps = NoSteps()
      products.multiply(
        product, frame, vector, as: quantizedValues.span, bias: Span(), to: &features, &steps
      ) { _, _ in }
      filter(batch, frame)
    }
  }

  /// The outputs of a batch's row from its features.
  private func filter(_ batch: Int, _ frame: borrowing TensorFrame) {
    guard let state = unsafe frame.inputAddress(4) else { return }
    let steps = layout.memoryCount
    let features = unsafe frame.scratchAddress(1).assumingMemoryBound(to: Float.self)
    let bias = frame.input(3, as: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let memory =
      unsafe UnsafeMutableRawPointer(mutating: state).assumingMemoryBound(to: Float.self)
      + batch * layout.filterCount * steps
    unsafe time.withUnsafeBufferPointer { time in
      guard let time = time.baseAddress else { return }
      for unit in 0..<layout.unitCount {
        var sum: Float = 0
        for filter in unit * layout.rank..<(unit + 1) * layout.rank {
          let row = unsafe memory + filter * steps
          unsafe row.update(from: row + 1, count: steps - 1)
          unsafe row[steps - 1] = features[filter]
          var product: Float = 0
          let rows = unsafe LaneRows(
            weights: time + filter * steps, vector: row, depth: steps, order: .inTurn)
          unsafe rows.multiply(rowCount: 1, starts: nil, to: &product)
          sum += product
        }
        unsafe output[batch * layout.unitCount + unit] = activation(
          bias.isEmpty ? sum : sum + bias[unit])
      }
    }
  }
}
