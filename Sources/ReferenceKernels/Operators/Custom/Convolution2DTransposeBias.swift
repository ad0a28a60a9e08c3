// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let convolution2DTransposeBias = CatalogEntry(
    custom: "Convolution2DTransposeBias", formula: nil,
    variants: "f32", optimized: "f32",
    work: .products { types in
      // Each element of the input meets the whole filter: output depth × height × width × depth.
      types.products(each: types.input(0), types.dimensions(ofInput: 1, rank: 4)?.dropLast())
    }, reads: .everything
  ) { node throws(KernelError) in try Convolution2DTransposeBias(node) }
}

/// `Convolution2DTransposeBias`: MediaPipe's `TRANSPOSE_CONV`, whose output size follows from the
/// input's; see `TransposeConvNest` for the formula.
///
/// - Input 0: activations, float32, `[batch, height, width, depth]`.
/// - Input 1: filter, `[output depth, height, width, depth]`.
/// - Input 2: bias, `[output depth]`.
/// - Output: along each axis `stride · (n − 1) + filter` less the padding, which for SAME is
///   `filter − (n − 1) mod stride − 1` where that is positive.
///
/// MediaPipe: `transpose_conv_bias.cc`.
struct Convolution2DTransposeBias: Operator {
  let padding: Padding
  let strideWidth: Int
  let strideHeight: Int

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let (input, filter) = (try node.image(0), try node.image(1))
    for position in 0..<3 { try node.input(position).expect(.float32, .input(position)) }
    guard input.dimensions.dropFirst().allSatisfy({ $0 > 0 }), filter.elementCount > 0 else {
      throw .invalid("empty image or filter: \(input) by \(filter)")
    }
    guard filter[3] == input[3] else {
      throw .invalid("\(filter) filter for \(input[3]) channels", .input(1))
    }
    let geometry = WindowGeometry(
      rows: try axis(input[1], filter[1], strideHeight),
      columns: try axis(input[2], filter[2], strideWidth))
    let shape = try Shape.checked([
      input[0], geometry.rows.input, geometry.columns.input, filter[0],
    ])
    let nest = BiasedTransposeConvNest(
      nest: TransposeConvNest(
        geometry: geometry, batchCount: input[0], inputDepth: input[3], outputDepth: filter[0]))
    let formats = ConvolutionFormats(node, activation: .none, outputDepth: filter[0])
    return Prepared(
      TensorType(.float32, shape), ConvolutionKernel(try formats.float(), nest))
  }

  /// The convolution along an axis whose transpose takes `length` elements.
  private func axis(_ length: Int, _ taps: Int, _ stride: Int) throws(KernelError) -> WindowAxis {
    let whole = try stride.times(length - 1).plus(taps)
    let excess = padding == .same ? max(0, taps - (length - 1) % stride - 1) : 0
    return try WindowAxis(
      input: whole - excess, window: taps, stride: stride, dilation: 1, padding: padding)
  }

  /// The operator with the options of a node.
  init(_ node: NodeDescription) throws(KernelError) {
    let fields = try StructureOptions(node, count: 3)
    guard fields[1] > 0, fields[2] > 0 else {
      throw .invalid("strides \(fields[1]) and \(fields[2]), wanted at least 1")
    }
    padding = try fields.padding()
    (strideWidth, strideHeight) = (fields[1], fields[2])
  }
}

/// `TransposeConvNest` with the operands in the order of a convolution.
package struct BiasedTransposeConvNest: ConvolutionNest, Hashable {
  /// The loops.
  package let nest: TransposeConvNest

  package var batchCount: Int { nest.batchCount }
  package var inputCount: Int { nest.inputCount }
  package var outputDepth: Int { nest.outputDepth }

  @_lifetime(output: copy output)
  package func run<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, batch: Int, input: Span<Arithmetic.Input>,
    filter: Span<Arithmetic.Filter>, bias: Span<Arithmetic.Bias>,
    output: inout MutableSpan<Arithmetic.Output>, _ meter: inout WorkMeter
  ) throws(KernelError) {
    try nest.run(
      arithmetic, batch: batch, input: input, filter: filter, bias: bias, output: &output, &meter)
  }
}
