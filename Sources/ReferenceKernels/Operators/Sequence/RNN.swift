// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let rnn = CatalogEntry(
    .rnn, chapter: .sequence, formula: nil, versions: .upTo(3),
    variants: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8",
    optimized: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8",
    work: .products { $0.cellProducts([1, 2]) }, reads: .everything
  ) {
    node throws(KernelError) in
    let options: RNNOptions = try node.options()
    return RNN(
      activation: options.fusedActivation, isAsymmetric: options.asymmetricQuantizeInputs, rank: 2)
  }

  static let unidirectionalSequenceRNN = CatalogEntry(
    .unidirectionalSequenceRNN, chapter: .sequence, formula: nil, versions: .upTo(3),
    variants: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8",
    optimized: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8",
    work: .products { $0.cellProducts([1, 2]) }, reads: .everything
  ) { node throws(KernelError) in
    let options: SequenceRNNOptions = try node.options()
    return RNN(
      activation: options.fusedActivation, isAsymmetric: options.asymmetricQuantizeInputs, rank: 3,
      isTimeMajor: options.timeMajor)
  }
}

/// `RNN` and `UNIDIRECTIONAL_SEQUENCE_RNN`: a simple recurrent cell makes one step or runs over
/// sequences; see `RNNLoop` for the formula.
///
/// - Input 0: `[batch, inputs]`; over sequences `[batch, time, inputs]`, or `[time, batch, inputs]`
///   where the options say so.
/// - Inputs 1 to 3: weights `[units, inputs]` and `[units, units]`, bias `[units]`.
/// - Input 4: the hidden state `[batch, units]`, a variable.
/// - Output: like input 0 with `units` elements in a step.
///
/// TFLite: `basic_rnn.cc`, `unidirectional_sequence_rnn.cc`.
struct RNN: Operator {
  let activation: FusedActivation
  let isAsymmetric: Bool
  /// Of input 0.
  let rank: Int
  var isTimeMajor = false

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 5...5)
    let input = try node.input(0)
    guard input.shape.rank == rank else {
      throw .rank(input.shape.rank, wanted: "\(rank)", .input(0))
    }
    let layout = try RNNLayout(node, isTimeMajor: isTimeMajor)
    let output = TensorType(
      .float32, try Shape.checked(input.shape.dimensions.dropLast() + [layout.unitCount]))
    guard try node.declaredOutput().elementType == .float32 else {
      throw .elementType(try node.declaredOutput().elementType, .output(0))
    }
    switch try node.input(layout.tensors.inputWeights).elementType {
    case .float32: return prepared(FloatCellProducts(.neon), layout, output)
    case .int8, .uint8:
      return prepared(HybridCellProducts(node, isAsymmetric: isAsymmetric), layout, output)
    case let other: throw .elementType(other, .input(layout.tensors.inputWeights))
    }
  }

  private func prepared<Products: CellProducts>(
    _ products: Products, _ layout: RNNLayout, _ output: TensorType
  ) -> Prepared {
    let loop = RNNLoop(
      layout: layout, products: products, activation: CellActivation(activation))
    return Prepared(output, LoopKernel(loop), scratch: loop.scratch)
  }
}
