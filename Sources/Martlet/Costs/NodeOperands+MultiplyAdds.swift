// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

extension NodeOperands {
  /// The multiply-adds of the node's matrix products and convolutions; 0 for operators without
  /// any, nil for those that are not known and where a shape is missing.
  ///
  /// Gates, biases and activations are not counted, nor are the diagonal weights of a cell.
  var multiplyAdds: Int? {
    switch node.identity.code {
    case .conv2D:
      // Filter: output depth × height × width × depth of a group.
      products(each: output(0), dimensions(of: 1, rank: 4).map { $0.dropFirst() })
    case .depthwiseConv2D:
      // Filter: 1 × height × width × output depth.
      products(each: output(0), dimensions(of: 1, rank: 4).map { $0[1...2] })
    case .conv3D:
      // Filter: depth × height × width × channels × output channels.
      products(each: output(0), dimensions(of: 1, rank: 5).map { $0.dropLast() })
    case .transposeConv:
      // Every element of the input meets the whole filter: output depth × height × width × depth.
      products(each: input(2), dimensions(of: 1, rank: 4).map { $0.dropLast() })
    case .conv3DTranspose:
      // Filter: depth × height × width × output channels × channels.
      products(each: input(2), dimensions(of: 1, rank: 5).map { $0.dropLast() })
    case .custom where node.identity.customName == "Convolution2DTransposeBias":
      products(each: input(0), dimensions(of: 1, rank: 4).map { $0.dropLast() })
    case .fullyConnected:
      products(each: output(0), input(1)?.shape.dimensions.suffix(1))
    case .batchMatMul:
      products(each: output(0), depth.map { [$0] })
    case .rnn, .unidirectionalSequenceRNN, .svdf:
      cellProducts([1, 2])
    case .bidirectionalSequenceRNN:
      cellProducts([1, 2, 5, 6, 10, 11])
    case .lstm where (node.options as? LSTMOptions)?.kernelType == .basic:
      cellProducts([2])
    case .lstm, .unidirectionalSequenceLSTM:
      cellProducts(Self.matrices(ofCellFrom: 1))
    case .bidirectionalSequenceLSTM:
      cellProducts(
        Self.matrices(ofCellFrom: 1) + Self.matrices(ofCellFrom: 18) + Array(40...47))
    case .custom where OperatorCatalog.custom[node.identity.customName ?? ""] != nil: 0
    case .custom, .delegate, .stablehloConvolution, .stablehloDotGeneral, .stablehloCustomCall,
      nil:
      nil
    case _: 0
    }
  }

  /// What the weights are, which decides what is multiplied.
  var arithmetic: NodeCost.Arithmetic {
    let isBasicCell = (node.options as? LSTMOptions)?.kernelType == .basic
    switch input(isBasicCell ? 2 : 1)?.elementType {
    case .int2, .int4, .uint4, .int8, .uint8, .int16, .uint16: return .byte
    case .float16, .bfloat16, .float32, .float64, .complex64, .complex128, .int32, .uint32,
      .int64, .uint64, .bool, .string, .resource, .variant, nil:
      return .float
    }
  }

  /// The matrices of an LSTM cell whose weights begin at input `first`: four for its inputs, four
  /// for its state, and behind three diagonals and four biases that of its projection.
  private static func matrices(ofCellFrom first: Int) -> [Int] {
    Array(first..<first + 8) + [first + 15]
  }

  /// So many products for each element of a tensor.
  private func products(each type: TensorType?, _ factors: (some Sequence<Int>)?) -> Int? {
    guard let factors else { return nil }
    return Checked.product([type?.shape.elementCount] + factors.map { $0 })
  }

  /// Matrices that are multiplied with a vector for each row of input 0, at every step.
  private func cellProducts(_ matrices: [Int]) -> Int? {
    guard let steps = input(0)?.shape.dimensions.dropLast() else { return nil }
    let weights = matrices.filter { !lacks($0) }.map { input($0)?.shape.elementCount }
    return Checked.product(steps.map { $0 } + [Checked.sum(weights)])
  }

  /// Columns of the left matrices of a `BATCH_MATMUL`.
  private var depth: Int? {
    guard let left = input(0)?.shape, left.rank >= 2 else { return nil }
    let isTransposed = (node.options as? BatchMatMulOptions)?.transposesLeft == true
    return left[left.rank - (isTransposed ? 2 : 1)]
  }

  private func dimensions(of position: Int, rank: Int) -> [Int]? {
    input(position).flatMap { $0.shape.rank == rank ? $0.shape.dimensions : nil }
  }
}
