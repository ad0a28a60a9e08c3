// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let batchMatMul = CatalogEntry(
    .batchMatMul, chapter: .matrix, formula: nil, versions: .upTo(4),
    variants: """
      f32 f32_crhs i8_q i16_q i8_to_i32 i16x8_q hybrid_i8 hybrid_i8_asym hybrid_i8_pc
      """,
    optimized: "f32 f32_crhs hybrid_i8 hybrid_i8_asym hybrid_i8_pc i8_q",
    work: .products { types in
      types.products(each: types.output(0), leftColumns(types).map { [$0] })
    }, reads: .everything
  ) { node throws(KernelError) in BatchMatMul(options: try node.options()) }

  /// Columns of the left matrices.
  private static func leftColumns(_ types: OperandTypes) -> Int? {
    guard let left = types.input(0)?.shape, left.rank >= 2 else { return nil }
    let isTransposed = types.options(BatchMatMulOptions.self)?.transposesLeft == true
    return left[left.rank - (isTransposed ? 2 : 1)]
  }
}

/// `BATCH_MATMUL`: products of matrices, pair by pair; see `BatchMatMulNest` for the formula.
///
/// - Input 0: left matrices, `[…, rows, depth]`, or `[…, depth, rows]` where the options
///   transpose them.
/// - Input 1: right matrices, `[…, depth, columns]`, or transposed.
/// - Output: `[…, rows, columns]`; leading axes are broadcast.
///
/// Float left and int8 right matrices make a hybrid node: every row of the left is quantized with
/// a scale of its own. With an int32 output, int8 quantized values are multiplied as they are,
/// whatever their zero points. Quantized products take no scales per column: TFLite then reads a
/// scale of 0, so that every result is the zero point. TFLite: `batch_matmul.cc`.
struct BatchMatMul: Operator {
  let options: BatchMatMulOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (left, right) = (try node.input(0), try node.input(1))
    let output = try node.declaredOutput()
    for (type, position) in [(left, 0), (right, 1)] where !(2...5).contains(type.shape.rank) {
      throw .rank(type.shape.rank, wanted: "2 to 5", .input(position))
    }
    let nest = try BatchMatMulNest(
      left.shape, right.shape, transposesLeft: options.transposesLeft,
      transposesRight: options.transposesRight)
    let shape = try Shape.checked(nest.pairs.shape.dimensions + [nest.rowCount, nest.columnCount])
    let type = TensorType(output.elementType, shape, quantization: output.quantization)
    let formats = ConvolutionFormats(node, activation: .none, outputDepth: nest.columnCount)
    switch (left.elementType, right.elementType, output.elementType) {
    case (.float32, .float32, _):
      return Prepared(type, BatchMatMulKernel(try formats.float(), nest))
    case (.float32, .int8, _):
      let kernel = HybridBatchMatMulKernel(
        try formats.hybrid(.byProduct),
        options.asymmetricQuantizeInputs ? .asymmetric : .symmetric, nest)
      return Prepared(type, kernel, scratch: kernel.scratch)
    case (.int8, .int8, .int8):
      return Prepared(type, BatchMatMulKernel(try formats.int8Matrices(), nest))
    case (.int8, .int8, .int32):
      return Prepared(type, BatchMatMulKernel(QuantizedProducts(), nest))
    case (.int16, .int16, .int16):
      return Prepared(
        type, BatchMatMulKernel(try formats.int16Matrices(right: Int16.self), nest))
    case (.int16, .int8, .int16):
      return Prepared(
        type, BatchMatMulKernel(try formats.int16Matrices(right: Int8.self), nest))
    case (let left, let right, let output):
      throw .unsupported(
        "\(left.schemaName) by \(right.schemaName) matrices for \(output.schemaName) output")
    }
  }
}

extension ConvolutionFormats {
  /// int8 matrices, each with a zero point.
  fileprivate func int8Matrices() throws(KernelError) -> QuantizedConvolution<Int8, Int8> {
    let (input, output) = try activationScales()
    let filter = try rightScale()
    return QuantizedConvolution(
      inputZeroPoint: input.zeroPoint, filterZeroPoint: filter.zeroPoint,
      outputZeroPoint: output.zeroPoint,
      multipliers: singlePrecisionMultiplier(input, filter, output),
      range: try ActivationRange(.none, output: output, as: Int8.self))
  }

  /// int16 left matrices and right ones of 8 or 16 bits: a 64-bit sum without zero points.
  fileprivate func int16Matrices<Right>(
    right: Right.Type
  ) throws(KernelError) -> WideProducts<Right, Int64>
  where Right: TensorElement & FixedWidthInteger {
    let (input, output) = try symmetricScales()
    let filter = try rightScale()
    guard filter.zeroPoint == 0 else {
      throw .invalid("zero point \(filter.zeroPoint), wanted 0", .input(1))
    }
    return WideProducts(
      filterZeroPoint: 0, multipliers: singlePrecisionMultiplier(input, filter, output),
      range: try ActivationRange(.none, output: output, as: Int16.self))
  }

  /// What the right matrices' quantized values stand for; with scales per column, nothing but zero.
  private func rightScale() throws(KernelError) -> Affine {
    try filterQuantization().isPerChannel
      ? Affine(scale: 0, zeroPoint: 0) : try node.input(1).affine(.input(1))
  }
}

/// Sums of products of int8 quantized values, neither shifted nor scaled; they wrap at 32 bits.
package struct QuantizedProducts: ConvolutionArithmetic {
  package func start(channel: Int) -> Int32 { 0 }

  @inline(__always)
  package func accumulate(
    _ sum: inout Int32, _ input: Int8, _ filter: Int8, _ steps: inout some Steps
  ) {
    sum &+= steps.term(Int32(input) &* Int32(filter))
  }

  @inline(__always)
  package func finish(
    _ sum: Int32, bias: Int32?, channel: Int, _ steps: inout some Steps
  ) -> Int32 {
    let result = steps.addBias(steps.accumulator(sum), bias)
    return steps.store(result, result)
  }
}
