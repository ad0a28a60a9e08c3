// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let unidirectionalSequenceLSTM = CatalogEntry(
    .unidirectionalSequenceLSTM, chapter: .sequence, formula: nil,
    versions: .upTo(4, reference: 3),
    variants: """
      f32 f32_ln hybrid_i8 hybrid_i8_ln hybrid_i8_asym hybrid_i8_asym_ln hybrid_u8 \
      hybrid_u8_ln f32_diag i8x8_16_q
      """,
    optimized: """
      f32 f32_diag f32_ln hybrid_i8 hybrid_i8_asym hybrid_i8_asym_ln hybrid_i8_ln hybrid_u8 \
      hybrid_u8_ln i8x8_16_q
      """,
    work: .products { $0.cellProducts(ofLSTMsFrom: [1]) }, reads: .everything
  ) { node throws(KernelError) in
    UnidirectionalSequenceLSTM(options: try node.options())
  }
}

/// `UNIDIRECTIONAL_SEQUENCE_LSTM`: a full LSTM cell runs over sequences; see `FloatLSTMLoop` and
/// `IntegerLSTM` for the formulas.
///
/// - Input 0: `[batch, time, inputs]`, or `[time, batch, inputs]` where the options say so; a
///   single step may leave out the time.
/// - Inputs 1 to 17 and 20 to 23: weights and biases, see `LSTMTensors`.
/// - Inputs 18 and 19: output state and cell state, variables.
/// - Output: like input 0 with `outputs` elements in a step.
///
/// Quantized nodes carry five intermediates. TFLite: `unidirectional_sequence_lstm.cc`.
struct UnidirectionalSequenceLSTM: Operator {
  let options: UnidirectionalSequenceLSTMOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    guard [20, 24].contains(node.inputs.count) else {
      throw .invalid("\(node.inputs.count) inputs, wanted 20 or 24")
    }
    guard node.intermediates.count != 12 else {
      throw .invalid("12 intermediates, wanted 5")
    }
    try node.expect(inputs: 20...24)
    return try FullLSTM(
      activation: options.fusedActivation, cellClip: options.cellClip,
      projectionClip: options.projectionClip, isAsymmetric: options.asymmetricQuantizeInputs
    ).prepared(
      node, try LSTMLayout(node, isTimeMajor: options.timeMajor), allowsDiagonals: true)
  }
}
