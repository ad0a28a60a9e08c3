// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let conv3D = CatalogEntry(
    .conv3D, chapter: .convolution, formula: nil, versions: .upTo(1),
    variants: "f32", optimized: "f32",
    work: .products { types in
      // Filter: depth × height × width × channels × output channels.
      types.products(
        each: types.output(0), types.dimensions(ofInput: 1, rank: 5)?.dropLast())
    }, reads: .everything
  ) { node throws(KernelError) in Conv3D(options: try node.options()) }
}

/// `CONV_3D`: a box of weights slides over a volume; see `Conv3DNest` for the formula.
///
/// - Input 0: activations, `[batch, depth, height, width, channels]`.
/// - Input 1: filter, `[depth, height, width, channels, output channels]`.
/// - Input 2: bias, `[output channels]`; optional.
///
/// TFLite: `conv3d.cc`, `padding.h`.
struct Conv3D: Operator {
  let options: Conv3DOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...3)
    let (input, filter) = (try node.volume(0), try node.volume(1))
    guard input.dimensions.dropFirst().allSatisfy({ $0 > 0 }), filter.elementCount > 0 else {
      throw .invalid("empty volume or filter: \(input) by \(filter)")
    }
    guard filter[3] == input[4] else {
      throw .invalid("\(filter) filter for \(input[4]) channels", .input(1))
    }
    try node.expectVolumeBias(2, channels: filter[4])
    let geometry = try VolumeGeometry(over: input, filter: filter, options)
    let output = TensorType(
      .float32,
      try Shape.checked(
        [input[0]] + geometry.axes.map(\.output) + [filter[4]]),
      quantization: try node.declaredOutput().quantization)
    let nest = Conv3DNest(
      geometry: geometry, batchCount: input[0], inputDepth: input[4], outputDepth: filter[4])
    let arithmetic = FloatConvolution(range: ActivationRange(options.fusedActivation))
    return Prepared(output, ConvolutionKernel(arithmetic, nest))
  }
}

/// How a box slides over a volume.
package struct VolumeGeometry: Sendable, Hashable {
  /// Along depth, height and width.
  package let axes: [WindowAxis]

  /// The geometry of a `filter` over a `volume`, both with their spatial axes at these positions.
  init(
    over volume: Shape, filter: Shape, _ options: Conv3DOptions
  ) throws(KernelError) {
    let strides = [options.strideDepth, options.strideHeight, options.strideWidth]
    let dilations = [options.dilationDepth, options.dilationHeight, options.dilationWidth]
    var axes: [WindowAxis] = []
    for axis in 0..<3 {
      axes.append(
        try WindowAxis(
          input: volume[1 + axis], window: filter[axis], stride: Int(strides[axis]),
          dilation: Int(dilations[axis]), padding: options.padding))
    }
    self.axes = axes
  }

  /// Positions in a volume of the input.
  package var inputCount: Int { axes.reduce(1) { $0 * $1.input } }
  /// Taps of the box.
  package var windowCount: Int { axes.reduce(1) { $0 * $1.window } }
  /// Positions in a volume of the output.
  package var outputCount: Int { axes.reduce(1) { $0 * $1.output } }
}

extension PrepareContext {
  /// The shape of a float input that must have five axes.
  ///
  /// - Throws: `KernelError` for another element type or rank.
  func volume(_ position: Int) throws(KernelError) -> Shape {
    let type = try input(position)
    guard type.elementType == .float32 else {
      throw .elementType(type.elementType, .input(position))
    }
    guard type.shape.rank == 5 else { throw .rank(type.shape.rank, wanted: "5", .input(position)) }
    return type.shape
  }

  /// Checks the bias, if there is one, of an operator on volumes, and the output's element type.
  ///
  /// - Throws: `KernelError` for another element type or count.
  func expectVolumeBias(_ position: Int, channels: Int) throws(KernelError) {
    try declaredOutput().expect(.float32, .output(0))
    guard let bias = optionalInput(position) else { return }
    try bias.expect(.float32, .input(position))
    guard bias.shape.elementCount == channels else {
      throw .invalid("bias of shape \(bias.shape) for \(channels) channels", .input(position))
    }
  }
}

/// The loop nest of `CONV_3D`.
///
///     y[b, p, q, r, o] = finish(Σ over taps (i, j, l) and channels k of
///                               x[b, p·s + i·d − z, q·s + j·d − z, r·s + l·d − z, k]
///                               · w[i, j, l, k, o])
///
/// Stride `s`, dilation `d` and padding `z` are those of each axis; taps in the padding are left
/// out. TFLite: `reference/conv3d.h`.
package struct Conv3DNest: ConvolutionNest, Hashable {
  /// How the filter slides.
  package let geometry: VolumeGeometry
  /// Volumes in the batch.
  package let batchCount: Int
  /// Channels of the input.
  package let inputDepth: Int
  /// Channels of the output.
  package let outputDepth: Int

  package var inputCount: Int { geometry.inputCount * inputDepth }

  @_lifetime(output: copy output)
  package func run<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, batch: Int, input: Span<Arithmetic.Input>,
    filter: Span<Arithmetic.Filter>, bias: Span<Arithmetic.Bias>,
    output: inout MutableSpan<Arithmetic.Output>, _ meter: inout WorkMeter
  ) throws(KernelError) {
    let (planes, rows, columns) = (geometry.axes[0], geometry.axes[1], geometry.axes[2])
    var index = batch * geometry.outputCount * outputDepth
    for plane in 0..<planes.output {
      for row in 0..<rows.output {
        for column in 0..<columns.output {
          let origin = (planes.origin(plane), rows.origin(row), columns.origin(column))
          for channel in 0..<outputDepth {
            let sum = sum(arithmetic, at: origin, channel: channel, input, filter)
            output[index] = arithmetic.finish(
              sum, bias: bias.isEmpty ? nil : bias[channel], channel: channel)
            index += 1
          }
          try meter.add(outputDepth * geometry.windowCount * inputDepth)
        }
      }
    }
  }

  /// The sum of products for the box whose first tap lies at `origin`.
  @inline(__always)
  private func sum<Arithmetic: ConvolutionArithmetic>(
    _ arithmetic: Arithmetic, at origin: (plane: Int, row: Int, column: Int), channel: Int,
    _ input: Span<Arithmetic.Input>, _ filter: Span<Arithmetic.Filter>
  ) -> Arithmetic.Accumulator {
    let (planes, rows, columns) = (geometry.axes[0], geometry.axes[1], geometry.axes[2])
    var sum = arithmetic.start(channel: channel)
    for planeTap in planes.taps(from: origin.plane) {
      let inputPlane = origin.plane + planeTap * planes.dilation
      for rowTap in rows.taps(from: origin.row) {
        let inputRow = inputPlane * rows.input + origin.row + rowTap * rows.dilation
        for columnTap in columns.taps(from: origin.column) {
          let inputColumn = origin.column + columnTap * columns.dilation
          let from = (inputRow * columns.input + inputColumn) * inputDepth
          let tap = (planeTap * rows.window + rowTap) * columns.window + columnTap
          var weight = tap * inputDepth * outputDepth + channel
          for k in 0..<inputDepth {
            arithmetic.accumulate(&sum, input[from + k], filter[weight])
            weight += outputDepth
          }
        }
      }
    }
    return sum
  }
}
