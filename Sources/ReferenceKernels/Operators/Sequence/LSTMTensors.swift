// SPDX-License-Identifier: Apache-2.0

/// A gate of the LSTM cell, in the order in which nodes list their tensors.
package enum LSTMGate: Int, Sendable, CaseIterable {
  case input, forget, cell, output

  /// The gate's name.
  package var name: String {
    switch self {
    case .input: "input gate"
    case .forget: "forget gate"
    case .cell: "cell gate"
    case .output: "output gate"
    }
  }
}

/// Where a node has the tensors of one full LSTM cell.
///
/// Weights and biases follow each other in one block: four matrices `[cells, inputs]`, four
/// matrices `[cells, outputs]`, three diagonals `[cells]` from the cell state, four biases
/// `[cells]`, the projection's matrix `[outputs, cells]` and its bias `[outputs]`.
package struct LSTMTensors: Sendable {
  /// The sequence.
  package let input: Int
  /// The first tensor of the block.
  package let weights: Int
  /// The output state `[batch, outputs]`.
  package let outputState: Int
  /// The cell state `[batch, cells]`.
  package let cellState: Int
  /// The first of four coefficients `[cells]` for layer normalization, if the node has room for
  /// them.
  package var layerNorm: Int?
  /// A second sequence, and the first of four matrices for it.
  package var auxiliary: (input: Int, weights: Int)?

  /// Those of a node with a single cell.
  package static let single = LSTMTensors(
    input: 0, weights: 1, outputState: 18, cellState: 19, layerNorm: 20)

  /// `[cells, inputs]`.
  package func inputWeights(_ gate: LSTMGate) -> Int { weights + gate.rawValue }

  /// `[cells, outputs]`, or the diagonal of such a matrix.
  package func recurrentWeights(_ gate: LSTMGate) -> Int { weights + 4 + gate.rawValue }

  /// `[cells]`: the diagonal of a matrix from the cell state; nil for the cell gate.
  package func peephole(_ gate: LSTMGate) -> Int? {
    switch gate {
    case .input: weights + 8
    case .forget: weights + 9
    case .cell: nil
    case .output: weights + 10
    }
  }

  /// `[cells]`.
  package func bias(_ gate: LSTMGate) -> Int { weights + 11 + gate.rawValue }

  /// `[outputs, cells]`.
  package var projection: Int { weights + 15 }

  /// `[outputs]`.
  package var projectionBias: Int { weights + 16 }

  /// `[cells]`; nil where the node has no room for it.
  package func layerNorm(_ gate: LSTMGate) -> Int? { layerNorm.map { $0 + gate.rawValue } }
}
