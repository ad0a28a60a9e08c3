// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let bidirectionalSequenceRNN = CatalogEntry(
    .bidirectionalSequenceRNN, chapter: .sequence, formula: nil, versions: .upTo(3),
    variants: "f32 hybrid_i8 hybrid_i8_asym", optimized: "f32 hybrid_i8 hybrid_i8_asym",
    work: .products { $0.cellProducts([1, 2, 5, 6, 10, 11]) }, reads: .everything
  ) { node throws(KernelError) in
    BidirectionalSequenceRNN(options: try node.options())
  }
}

/// `BIDIRECTIONAL_SEQUENCE_RNN`: two simple recurrent cells run over sequences, one from each end;
/// see `RNNLoop` for the formula.
///
/// - Input 0: `[batch, time, inputs]`, or `[time, batch, inputs]` where the options say so.
/// - Inputs 1 to 4: weights, bias and hidden state of the forward cell, as in `RNN`.
/// - Inputs 5 to 8: those of the backward cell.
/// - Input 9: an auxiliary sequence, and inputs 10 and 11: its weights in the cells. Without
///   weights it is the backward cell's input.
/// - Outputs: the forward cell's and the backward cell's results, or both in one.
///
/// TFLite: `bidirectional_sequence_rnn.cc`, whose loops differ from what is meant:
///
/// - In a time-major node the auxiliary sequence's steps are as far apart as the input's, and in
///   a hybrid batch-major one, too.
/// - In a time-major hybrid node each cell walks the sequence as often as it has steps.
/// - In a batch-major node the backward cell reads input 0 even where it should read input 9.
struct BidirectionalSequenceRNN: Operator {
  let options: BidirectionalSequenceRNNOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    guard node.inputs.count == 12 else {
      throw .invalid("\(node.inputs.count) inputs, wanted 12")
    }
    let input = try node.input(0).shape
    guard input.rank == 3 else { throw .rank(input.rank, wanted: "3", .input(0)) }
    guard (node.optionalInput(10) == nil) == (node.optionalInput(11) == nil) else {
      throw .invalid("weights of the auxiliary input in one direction only", .input(10))
    }
    let weights = try node.input(1).elementType
    switch weights {
    case .float32: return try prepared(FloatCellProducts(.neon), node, input)
    case .int8, .uint8:
      let products = HybridCellProducts(
        node, isAsymmetric: options.asymmetricQuantizeInputs)
      return try prepared(products, node, input)
    case let other: throw .elementType(other, .input(1))
    }
  }

  private func prepared<Products: CellProducts>(
    _ products: Products, _ node: PrepareContext, _ input: Shape
  ) throws(KernelError) -> Prepared {
    let hasWeights = node.optionalInput(10) != nil
    var backward = RNNTensors(
      input: 0, inputWeights: 5, recurrentWeights: 6, bias: 7, state: 8,
      auxiliary: hasWeights ? (9, 11) : nil)
    if !hasWeights, options.timeMajor, let auxiliary = node.optionalInput(9) {
      guard auxiliary.elementType == .float32,
        auxiliary.shape.elementCount >= input.elementCount
      else { throw .invalid("\(auxiliary.shape) instead of input \(input)", .input(9)) }
      backward.input = 9
    }
    var forward = RNNTensors.single
    forward.auxiliary = hasWeights ? (9, 10) : nil
    var layouts = [
      try layout(node, forward, isBackward: false, isHybrid: Products.isHybrid),
      try layout(node, backward, isBackward: true, isHybrid: Products.isHybrid),
    ]
    guard try node.input(5).elementType == (try node.input(1).elementType) else {
      throw .elementType(try node.input(5).elementType, .input(5))
    }
    let outputs = try DirectedOutputs(
      node, input: input, layouts[0].unitCount, layouts[1].unitCount,
      areMerged: options.mergesOutputs)
    layouts[0].output = outputs.forward
    layouts[1].output = outputs.backward
    let loops = layouts.map {
      RNNLoop(
        layout: $0, products: products, activation: CellActivation(options.fusedActivation))
    }
    return BothDirections(forward: loops[0], backward: loops[1]).prepared(
      outputs.types, scratch: loops[0].scratch, loops[1].scratch)
  }

  private func layout(
    _ node: PrepareContext, _ tensors: RNNTensors, isBackward: Bool, isHybrid: Bool
  ) throws(KernelError) -> RNNLayout {
    var layout = try RNNLayout(
      node, tensors, isTimeMajor: options.timeMajor, isBackward: isBackward)
    if isHybrid, options.timeMajor { layout.passCount = layout.timeCount }
    if tensors.auxiliary != nil, isHybrid || options.timeMajor {
      layout.auxiliaryStride = layout.inputCount
      guard layout.auxiliaryCount >= layout.inputCount else {
        throw .unsupported(
          "auxiliary steps of \(layout.auxiliaryCount) beside \(layout.inputCount) elements, "
            + "which the reference kernel reads out of bounds", .input(9))
      }
    }
    return layout
  }
}
