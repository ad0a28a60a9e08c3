// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Matrix products of a recurrent cell with a float state: float weights, or integer weights with
/// vectors that are quantized for each product.
package protocol CellProducts: Sendable {
  /// What weights, and vectors to be multiplied, are stored as.
  associatedtype Quantized: TensorElement
  /// A product's number format.
  associatedtype Arithmetic: ConvolutionArithmetic
  where
    Arithmetic.Input == Quantized, Arithmetic.Filter == Quantized, Arithmetic.Bias == Float,
    Arithmetic.Output == Float

  /// Whether vectors are quantized.
  static var isHybrid: Bool { get }

  /// Stores `vector` in the first quantized values of `quantizedValues` and gives their meaning.
  func encode(_ vector: Span<Float>, into quantizedValues: inout MutableSpan<Quantized>) -> Affine

  /// What a vector's quantized values count as in products with the weights at `position`; `input`
  /// is what the cell's input is encoded as.
  func dequantization(of vector: Affine, input: Affine, weights position: Int) -> Affine

  /// Multiplies the matrix at `position`, of as many rows as `result` has elements to be written,
  /// by a vector encoded in the first `columns` quantized values of `quantizedValues`, and adds
  /// `bias`. The vector is number `location` of those that TFLite multiplies at once.
  func multiply(
    _ position: Int, _ frame: borrowing TensorFrame, rows: Int, columns: Int,
    _ quantizedValues: Span<Quantized>, _ vector: Affine, location: Int, bias: Span<Float>,
    to result: inout MutableSpan<Float>
  )

  /// The format of products of vectors encoded as `vector` with the weights at `position`.
  func arithmetic(_ vector: Affine, weights position: Int) -> Arithmetic

  /// The real value of a weight at `position`.
  func real(_ quantized: Quantized, at position: Int) -> Float
}

extension CellProducts {
  package func dequantization(of vector: Affine, input: Affine, weights position: Int) -> Affine {
    vector
  }

  package func multiply(
    _ position: Int, _ frame: borrowing TensorFrame, rows: Int, columns: Int,
    _ quantizedValues: Span<Quantized>, _ vector: Affine, location: Int, bias: Span<Float>,
    to result: inout MutableSpan<Float>
  ) {
    FullyConnectedNest(batchCount: 1, inputCount: columns, outputDepth: rows).run(
      arithmetic(vector, weights: position), batch: 0, input: quantizedValues,
      filter: frame.input(position),
      bias: bias, output: &result)
  }
}

/// Float weights.
///
/// Simple cells and `SVDF` run the quantized value for NEON, emulated, which adds the products to
/// the bias. LSTM cells leave products to Eigen and add the bias last. TFLite:
/// `NeonMatrixBatchVectorMultiplyAccumulate` (`neon_tensor_utils.cc`), `GemmImplUsingEigen`
/// (`cpu_backend_gemm_eigen.cc`).
package struct FloatCellProducts: CellProducts {
  /// Whose order of sums this is.
  package enum Library: Sendable {
    case neon
    /// Multiplies so many vectors at once.
    case eigen(vectorCount: Int)
  }

  /// Whose order of sums this is.
  package let library: Library

  /// Products as `library` computes them.
  package init(_ library: Library) { self.library = library }

  package static var isHybrid: Bool { false }

  package func multiply(
    _ position: Int, _ frame: borrowing TensorFrame, rows: Int, columns: Int,
    _ quantizedValues: Span<Float>, _ vector: Affine, location: Int, bias: Span<Float>,
    to result: inout MutableSpan<Float>
  ) {
    let weights = frame.input(position, as: Float.self)
    for row in 0..<rows {
      let bias = bias.isEmpty ? 0 : bias[row]
      let rowWeights = weights.extracting(row * columns..<(row + 1) * columns)
      var sum =
        switch library {
        case .neon: LaneSum(.inTurn, count: columns, start: bias)
        case .eigen(let vectorCount):
          LaneSum(
            .eigen(row: row, of: rows, column: location, of: vectorCount, depth: columns),
            count: columns)
        }
      for column in 0..<columns {
        sum.add(rowWeights[column] * quantizedValues[column], at: column)
      }
      result[row] =
        switch library {
        case .neon: sum.value
        case .eigen: sum.value + bias
        }
    }
  }

  package func encode(_ vector: Span<Float>, into quantizedValues: inout MutableSpan<Float>)
    -> Affine
  {
    for index in vector.indices { quantizedValues[index] = vector[index] }
    return Affine(scale: 1, zeroPoint: 0)
  }

  package func arithmetic(_ vector: Affine, weights position: Int) -> FloatConvolution {
    FloatConvolution(
      range: ActivationRange(-.greatestFiniteMagnitude, .greatestFiniteMagnitude))
  }

  package func real(_ quantized: Float, at position: Int) -> Float { quantized }
}

/// int8 weights, or uint8 ones whose bytes are read as signed.
///
/// TFLite leaves out products with vectors that are all zero. That makes no difference: such a
/// vector's quantized values are zero, too.
///
/// In `LSTM` weights may be stored without their blocks of zeros. TFLite multiplies such weights
/// by the state as if it had the input's scale, and by any vector as if its zero point were 0.
package struct HybridCellProducts: CellProducts {
  /// The scales of the node's inputs; 1 where there is none.
  package let scales: [Float]
  /// Which of the node's inputs are stored without zeros and used that way.
  package let isSparse: [Bool]
  /// How vectors are quantized.
  package let quantization: HybridQuantization

  /// The products of a node's weights.
  package init(_ node: PrepareContext, isAsymmetric: Bool, usesSparsity: Bool = false) {
    scales = node.inputs.map { $0?.type.quantization?.perTensor?.scale ?? 1 }
    isSparse = node.inputs.map { usesSparsity && $0?.isSparse == true }
    quantization = isAsymmetric ? .asymmetric : .symmetric
  }

  package static var isHybrid: Bool { true }

  package func encode(_ vector: Span<Float>, into quantizedValues: inout MutableSpan<Int8>)
    -> Affine
  {
    quantization.quantize(vector, into: &quantizedValues)
  }

  package func dequantization(of vector: Affine, input: Affine, weights position: Int) -> Affine {
    isSparse[position] ? Affine(scale: input.scale, zeroPoint: 0) : vector
  }

  package func arithmetic(_ vector: Affine, weights position: Int) -> HybridConvolution {
    HybridConvolution(
      filterScales: [scales[position]], scaling: .byProduct,
      range: ActivationRange(-.greatestFiniteMagnitude, .greatestFiniteMagnitude), input: vector)
  }

  package func real(_ quantized: Int8, at position: Int) -> Float {
    scales[position] * Float(quantized)
  }
}
