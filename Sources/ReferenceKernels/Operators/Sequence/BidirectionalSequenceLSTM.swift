// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let bidirectionalSequenceLSTM = CatalogEntry(
    .bidirectionalSequenceLSTM, chapter: .sequence, formula: nil, versions: .upTo(3),
    variants: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8",
    optimized: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8",
    work: .products { $0.cellProducts(ofLSTMsFrom: [1, 18], Array(40...47)) }, reads: .everything
  ) { node throws(KernelError) in
    BidirectionalSequenceLSTM(options: try node.options())
  }
}

/// `BIDIRECTIONAL_SEQUENCE_LSTM`: two full LSTM cells run over sequences, one from each end; see
/// `FloatLSTMLoop` for the formula.
///
/// - Input 0: `[time, batch, inputs]`, or `[batch, time, inputs]` where the options say so.
/// - Inputs 1 to 17 and 18 to 34: weights and biases of the forward and the backward cell, see
///   `LSTMTensors`.
/// - Inputs 35 to 38: output state and cell state of either, variables.
/// - Input 39: an auxiliary sequence, and inputs 40 to 43 and 44 to 47: its weights in the cells.
///   Without weights it is the backward cell's input.
/// - Outputs: the forward cell's and the backward cell's results, or both in one.
///
/// TFLite's output states of a batch-major node whose outputs are merged are as far apart as rows
/// of the output, so that later sequences use memory beyond them; here each has its own.
/// TFLite: `bidirectional_sequence_lstm.cc`.
struct BidirectionalSequenceLSTM: Operator {
  let options: BidirectionalSequenceLSTMOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    guard node.inputs.count == 48 else {
      throw .invalid("\(node.inputs.count) inputs, wanted 48")
    }
    let input = try node.input(0)
    guard input.elementType == .float32 else { throw .elementType(input.elementType, .input(0)) }
    guard input.shape.rank == 3 else { throw .rank(input.shape.rank, wanted: "3", .input(0)) }
    let weights = try node.input(LSTMTensors.single.inputWeights(.output)).elementType
    switch weights {
    case .float32:
      let products = FloatCellProducts(
        .eigen(vectorCount: options.timeMajor ? input.shape[1] : 1))
      return try prepared(products, node, input.shape, weights)
    case .int8, .uint8:
      let products = HybridCellProducts(node, isAsymmetric: options.asymmetricQuantizeInputs)
      return try prepared(products, node, input.shape, weights)
    case let other: throw .elementType(other, .input(4))
    }
  }

  private func prepared<Products: CellProducts>(
    _ products: Products, _ node: PrepareContext, _ input: Shape, _ weights: ElementType
  ) throws(KernelError) -> Prepared {
    let cell = FullLSTM(
      activation: options.fusedActivation, cellClip: options.cellClip,
      projectionClip: options.projectionClip, isAsymmetric: options.asymmetricQuantizeInputs)
    try cell.checkClips()
    let (first, second) = try tensors(node, input)
    var forward = try LSTMLayout(node, first, isTimeMajor: options.timeMajor)
    var backward = try LSTMLayout(
      node, second, isTimeMajor: options.timeMajor, isBackward: true)
    let outputs = try DirectedOutputs(
      node, input: input, forward.outputCount, backward.outputCount,
      areMerged: options.mergesOutputs)
    forward.output = outputs.forward
    backward.output = outputs.backward
    let loops = BothDirections(
      forward: try cell.loop(products, node, forward, weights),
      backward: try cell.loop(products, node, backward, weights))
    return loops.prepared(
      outputs.types, scratch: loops.forward.scratch, loops.backward.scratch)
  }

  /// Where the cells' tensors are, after a check of the auxiliary input.
  private func tensors(
    _ node: PrepareContext, _ input: Shape
  ) throws(KernelError) -> (forward: LSTMTensors, backward: LSTMTensors) {
    let hasWeights = node.optionalInput(41) != nil
    for position in [42, 43, 45, 46, 47]
    where (node.optionalInput(position) != nil) != hasWeights {
      throw .invalid("contradicts the auxiliary input's weights", .input(position))
    }
    let auxiliary = node.optionalInput(39)
    if hasWeights || auxiliary != nil {
      let width = hasWeights ? auxiliary?.shape.dimensions.last ?? 0 : input[2]
      try node.expect(39, .float32, [input[0], input[1], width])
    }
    return (
      LSTMTensors(
        input: 0, weights: 1, outputState: 35, cellState: 36,
        auxiliary: hasWeights ? (39, 40) : nil),
      LSTMTensors(
        input: auxiliary != nil && !hasWeights ? 39 : 0, weights: 18, outputState: 37,
        cellState: 38, auxiliary: hasWeights ? (39, 44) : nil)
    )
  }
}
