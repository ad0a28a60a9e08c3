// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let fullyConnected = CatalogEntry(
    .fullyConnected, chapter: .matrix, formula: nil, versions: .upTo(14),
    variants: """
      f32 f32_rtw u8_q i8_pt_q i8_pc_q i8_i4w_q i8_i4w_pc_q i16x8_q i16x8_pc_q i16x8_b32_q \
      i16x16_q u8_to_i16_q hybrid_i8 hybrid_i8_asym hybrid_i8_pc hybrid_i8_pc_asym hybrid_i4 \
      hybrid_i4_pc hybrid_u8 hybrid_i2_pc i8_rtw_q i8_i2w_q u8_shuffled_q f32_sparse i8_q
      """,
    optimized: """
      f32 f32_rtw f32_sparse hybrid_i2_pc hybrid_i4 hybrid_i4_pc hybrid_i8 hybrid_i8_asym \
      hybrid_i8_pc hybrid_i8_pc_asym hybrid_u8 i16x8_b32_q i16x8_pc_q i16x8_q i8_i2w_q i8_i4w_pc_q \
      i8_i4w_q i8_pc_q i8_pt_q i8_q i8_rtw_q u8_q
      """,
    work: .products { types in
      types.products(
        each: types.output(0), types.input(1)?.shape.dimensions.suffix(1))
    }, reads: .everything
  ) { node throws(KernelError) in FullyConnected(options: try node.options()) }
}

/// `FULLY_CONNECTED`: rows of activations times the transposed matrix of weights; see
/// `FullyConnectedNest` for the formula.
///
/// - Input 0: activations of any rank, read as rows of `depth` elements.
/// - Input 1: weights, `[units, depth]`.
/// - Input 2: bias, `[units]`; optional.
/// - Output: `[rows, units]`, or the input's shape with `units` as its last dimension where the
///   options keep the rank.
///
/// Sparse weights come here with all of their elements. Quantized forms scale their sums in
/// double precision, see `QuantizedFullyConnected`. TFLite drops activations that fill no row;
/// here they are an error. TFLite: `fully_connected.cc`.
struct FullyConnected: Operator {
  let options: FullyConnectedOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    // TFLite computes these two in hybrid nodes and refuses them elsewhere; no converter writes
    // them.
    guard options.fusedActivation != .tanh, options.fusedActivation != .signBit else {
      throw .unsupported("fused activation \(options.fusedActivation)")
    }
    let isShuffled = options.weightsFormat == .shuffled4x16Int8
    try node.expect(inputs: 2...3, outputs: isShuffled ? 2 : 1)
    let (input, weights) = (try node.input(0).shape, try node.input(1).shape)
    guard weights.rank == 2 else { throw .rank(weights.rank, wanted: "2", .input(1)) }
    let (units, depth) = (weights[0], weights[1])
    guard depth > 0, input.elementCount % depth == 0 else {
      throw .invalid("\(input) activations for weights of \(weights)", .input(0))
    }
    let shape = try outputShape(input, units: units, depth: depth)
    let nest = FullyConnectedNest(
      batchCount: input.elementCount / depth, inputCount: depth, outputDepth: units)
    let formats = ConvolutionFormats(
      node, activation: options.fusedActivation, outputDepth: units)
    if isShuffled { return try formats.shuffled(nest, shape: shape) }
    return try formats.fullyConnected(nest, shape: shape, options: options)
  }

  private func outputShape(
    _ input: Shape, units: Int, depth: Int
  ) throws(KernelError) -> Shape {
    guard options.keepsRank else { return try Shape.checked([input.elementCount / depth, units]) }
    guard input.dimensions.last == depth else {
      throw .invalid("rows of \(input) are not of length \(depth)", .input(0))
    }
    return try Shape.checked(input.dimensions.dropLast() + [units])
  }
}

/// The loop nest of `FULLY_CONNECTED`, once for all number formats.
///
///     y[r, u] = finish(Σ over k of x[r, k] · w[u, k])
///
/// A row is what convolutions call an image: hybrid kernels quantize each with a scale of its
/// own. TFLite: `reference/fully_connected.h`, `integer_ops/fully_connected.h`.
package struct FullyConnectedNest: ConvolutionNest, Hashable {
  /// Rows of activations.
  package let batchCount: Int
  /// Elements of a row.
  package let inputCount: Int
  /// Units: elements of a row of the output.
  package let outputDepth: Int

  @_lifetime(output: copy output)
  package func run<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, batch: Int, input: Span<Arithmetic.Input>,
    filter: Span<Arithmetic.Filter>, bias: Span<Arithmetic.Bias>,
    output: inout MutableSpan<Arithmetic.Output>, _ meter: inout WorkMeter
  ) throws(KernelError) {
    for unit in 0..<outputDepth {
      let weights = filter.extracting(unit * inputCount..<(unit + 1) * inputCount)
      var sum = arithmetic.start(channel: unit)
      for k in 0..<inputCount { arithmetic.accumulate(&sum, input[k], weights[k]) }
      output[batch * outputDepth + unit] = arithmetic.finish(
        sum, bias: bias.isEmpty ? nil : bias[unit], channel: unit)
      try meter.add(inputCount)
    }
  }
}

/// `FULLY_CONNECTED` in one number format.
package typealias FullyConnectedKernel<Arithmetic: ConvolutionArithmetic> =
  ConvolutionKernel<FullyConnectedNest, Arithmetic>
