// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A matrix of a recurrent cell's weights, and the vector that it is multiplied by.
package struct CellProduct {
  /// The input that the matrix is.
  package let weights: Int
  /// Rows of the matrix.
  package let rows: Int
  /// Columns of the matrix.
  package let columns: Int
  /// What the vector's quantized values stand for.
  package let vector: Affine
  /// The number of the vector among those that TFLite multiplies at once.
  package let location: Int
  /// What the vector's elements are called if no tensor holds them.
  package let vectorName: StaticString

  /// The product of the matrix at `weights` and a vector.
  package init(
    weights: Int, rows: Int, columns: Int, vector: Affine, location: Int,
    vectorName: StaticString = "number"
  ) {
    self.weights = weights
    self.rows = rows
    self.columns = columns
    self.vector = vector
    self.location = location
    self.vectorName = vectorName
  }
}

/// Matrix products of a recurrent cell with a float state: float weights, or integer weights with
/// vectors that are quantized for each product.
package protocol CellProducts: Sendable {
  /// What weights, and vectors to be multiplied, are stored as.
  associatedtype Quantized: TensorElement

  /// Whether vectors are quantized.
  static var isHybrid: Bool { get }

  /// Stores `vector` in the first quantized values of `quantizedValues` and gives their meaning.
  @_lifetime(quantizedValues: copy quantizedValues)
  func encode(_ vector: Span<Float>, into quantizedValues: inout MutableSpan<Quantized>) -> Affine

  /// What a vector's quantized values count as in products with the weights at `position`; `input`
  /// is what the cell's input is encoded as.
  func dequantization(of vector: Affine, input: Affine, weights position: Int) -> Affine

  /// Multiplies a matrix by `vector`, which is encoded in the first of `quantizedValues`, adds
  /// `bias`, and writes as many elements of `result` as there are rows. `about` says whose sum a
  /// row is.
  @_lifetime(result: copy result)
  func multiply<S: Steps>(
    _ product: CellProduct, _ frame: borrowing TensorFrame, _ vector: Span<Float>,
    as quantizedValues: Span<Quantized>, bias: Span<Float>, to result: inout MutableSpan<Float>,
    _ steps: inout S, about: (Int, inout S) -> Void)

  /// The real value of a weight at `position`.
  func real(_ quantized: Quantized, at position: Int) -> Float

  /// Applies `function` to all of `values` at once; false where that is done one by one, in steps.
  @_lifetime(values: copy values)
  func apply(_ function: CellFunction, to values: inout MutableSpan<Float>) -> Bool
}

/// What a float cell applies to a vector.
package enum CellFunction {
  /// The logistic function; `first` is the number of the vector's first element.
  case logistic(VectorLogistic, first: Int)
  /// An activation.
  case activation(CellActivation)
}

extension CellProducts {
  @_lifetime(values: copy values)
  package func apply(_ function: CellFunction, to values: inout MutableSpan<Float>) -> Bool {
    false
  }

  package func dequantization(of vector: Affine, input: Affine, weights position: Int) -> Affine {
    vector
  }
}

/// Float weights.
///
/// Simple cells and `SVDF` run the code for NEON, emulated, which adds the products to
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

  @_lifetime(result: copy result)
  package func multiply<S: Steps>(
    _ product: CellProduct, _ frame: borrowing TensorFrame, _ vector: Span<Float>,
    as quantizedValues: Span<Float>, bias: Span<Float>, to result: inout MutableSpan<Float>,
    _ steps: inout S, about: (Int, inout S) -> Void
  ) {
    let weights = frame.input(product.weights, as: Float.self)
    let columns = product.columns
    for row in 0..<product.rows {
      about(row, &steps)
      let rowWeights = weights.extracting(row * columns..<(row + 1) * columns)
      var sum = sum(of: product, row: row, bias: bias.isEmpty ? 0 : bias[row])
      for column in 0..<columns {
        sum.add(
          steps.term(
            rowWeights[column] * quantizedValues[column], of: vector, column,
            named: product.vectorName, rowWeights, column), at: column)
      }
      switch library {
      case .neon:
        result[row] = steps.accumulator(sum, of: columns, from: bias.isEmpty ? 0 : bias[row])
      case .eigen:
        let total = steps.accumulator(sum, of: columns)
        result[row] = bias.isEmpty ? total + 0 : steps.sum(total, bias[row])
      }
    }
  }

  /// A sum of a row's products, before the first one.
  @inline(__always)
  private func sum(of product: CellProduct, row: Int, bias: Float) -> LaneSum {
    switch library {
    case .neon: LaneSum(.inTurn, count: product.columns, start: bias)
    case .eigen(let vectorCount):
      LaneSum(
        .eigen(
          row: row, of: product.rows, column: product.location, of: vectorCount,
          depth: product.columns), count: product.columns)
    }
  }

  @_lifetime(quantizedValues: copy quantizedValues)
  package func encode(_ vector: Span<Float>, into quantizedValues: inout MutableSpan<Float>)
    -> Affine
  {
    for index in vector.indices { quantizedValues[index] = vector[index] }
    return Affine(scale: 1, zeroPoint: 0)
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

  @_lifetime(quantizedValues: copy quantizedValues)
  package func encode(_ vector: Span<Float>, into quantizedValues: inout MutableSpan<Int8>)
    -> Affine
  {
    quantization.quantize(vector, into: &quantizedValues)
  }

  package func dequantization(of vector: Affine, input: Affine, weights position: Int) -> Affine {
    isSparse[position] ? Affine(scale: input.scale, zeroPoint: 0) : vector
  }

  @_lifetime(result: copy result)
  package func multiply<S: Steps>(
    _ product: CellProduct, _ frame: borrowing TensorFrame, _ vector: Span<Float>,
    as quantizedValues: Span<Int8>, bias: Span<Float>, to result: inout MutableSpan<Float>,
    _ steps: inout S, about: (Int, inout S) -> Void
  ) {
    let weights = frame.input(product.weights, as: Int8.self)
    let columns = product.columns
    let arithmetic = HybridConvolution(
      filterScales: [scales[product.weights]], scaling: .byProduct,
      range: ActivationRange(-.greatestFiniteMagnitude, .greatestFiniteMagnitude),
      input: product.vector)
    for row in 0..<product.rows {
      about(row, &steps)
      steps.tell(product.vector, of: isSparse[product.weights] ? "the input" : "these numbers")
      let scale = steps.note(
        "weight scale", "of input \(product.weights)", scales[product.weights])
      let rowWeights = weights.extracting(row * columns..<(row + 1) * columns)
      var sum: Int32 = 0
      for column in 0..<columns {
        let distance = Int32(quantizedValues[column]) &- product.vector.zeroPoint
        sum &+= steps.term(
          distance &* Int32(rowWeights[column]), of: vector, column,
          quantized: quantizedValues[column], named: product.vectorName, rowWeights, column)
      }
      let real = arithmetic.real(steps.accumulator(sum), filterScale: scale, &steps)
      let total = bias.isEmpty ? real + 0 : steps.sum(real, bias[row])
      result[row] = steps.activate(total, arithmetic.range)
    }
  }

  package func real(_ quantized: Int8, at position: Int) -> Float {
    scales[position] * Float(quantized)
  }
}
