// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// `LSTM`: one step of an LSTM cell, of which there are two kinds.
///
/// The full kind has the tensors of `UNIDIRECTIONAL_SEQUENCE_LSTM` without an axis for time:
/// input 0 is `[batch, inputs]`. With 8-bit inputs the node's intermediates tell two forms apart:
/// five for 16-bit sums (`IntegerLSTM`), twelve for 8-bit ones (`NarrowLSTM`). The basic kind is
/// `BasicLSTM`. TFLite: `lstm.cc`.
struct LSTM: Operator {
  let options: LSTMOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    switch options.kernelType {
    case .basic: return try BasicLSTM().prepare(node)
    case .full: break
    }
    guard [20, 24].contains(node.inputs.count) else {
      throw .invalid("\(node.inputs.count) inputs, wanted 20 or 24")
    }
    try node.expect(inputs: 20...24)
    let rank = try node.input(0).shape.rank
    guard rank == 2 else { throw .rank(rank, wanted: "2", .input(0)) }
    return try FullLSTM(
      activation: options.fusedActivation, cellClip: options.cellClip,
      projectionClip: options.projectionClip, isAsymmetric: options.asymmetricQuantizeInputs,
      usesSparsity: true
    ).prepared(node, try LSTMLayout(node, isTimeMajor: true), allowsDiagonals: false)
  }
}

extension CatalogEntry {
  /// `LSTM`.
  static let lstm = CatalogEntry(
    .lstm,
    variants: """
      f32 f32_ln hybrid_i8 hybrid_i8_ln hybrid_i8_asym hybrid_i8_asym_ln hybrid_u8 hybrid_u8_ln \
      i8x8_16_q i8x8_8_q f32_basic u8_basic_q
      """
  ) { node throws(KernelError) in
    LSTM(options: try node.options())
  }
}
