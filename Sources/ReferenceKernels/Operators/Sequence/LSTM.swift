// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let lstm = CatalogEntry(
    .lstm, chapter: .sequence, formula: nil, versions: .upTo(4),
    variants: """
      f32 f32_ln hybrid_i8 hybrid_i8_ln hybrid_i8_asym hybrid_i8_asym_ln hybrid_u8 \
      hybrid_u8_ln i8x8_16_q i8x8_8_q f32_basic u8_basic_q
      """,
    optimized: """
      f32 f32_ln hybrid_i8 hybrid_i8_asym hybrid_i8_asym_ln hybrid_i8_ln hybrid_u8 \
      hybrid_u8_ln i8x8_16_q
      """,
    work: .products(weights: { isBasic($0) ? 2 : 1 }) { types in
      isBasic(types) ? types.cellProducts([2]) : types.cellProducts(ofLSTMsFrom: [1])
    }, reads: .everything
  ) { node throws(KernelError) in
    LSTM(options: try node.options())
  }

  private static func isBasic(_ types: OperandTypes) -> Bool {
    types.options(LSTMOptions.self)?.kernelType == .basic
  }
}

extension OperandTypes {
  /// The products of LSTM cells whose weights begin at these inputs: of four matrices for the
  /// inputs, four for the state, and behind three diagonals and four biases that of the projection;
  /// also those of other matrices.
  func cellProducts(ofLSTMsFrom firsts: [Int], _ others: [Int] = []) -> Int? {
    cellProducts(firsts.flatMap { Array($0..<$0 + 8) + [$0 + 15] } + others)
  }
}

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
