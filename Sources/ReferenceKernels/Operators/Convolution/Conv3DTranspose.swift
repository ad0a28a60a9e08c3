// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let conv3DTranspose = CatalogEntry(
    .conv3DTranspose, chapter: .convolution, formula: nil, versions: .upTo(1),
    variants: "f32", optimized: "",
    work: .products { types in
      // Filter: depth × height × width × output channels × channels.
      types.products(
        each: types.input(2), types.dimensions(ofInput: 1, rank: 5)?.dropLast())
    }, reads: .everything
  ) { node throws(KernelError) in Conv3DTranspose(options: try node.options()) }
}

/// `CONV_3D_TRANSPOSE`: every activation spreads a box of weights over the output.
///
/// - Input 0: the output's shape, int32.
/// - Input 1: filter, `[depth, height, width, output channels, channels]`.
/// - Input 2: activations, `[batch, depth, height, width, channels]`.
/// - Input 3: bias, `[output channels]`; optional.
///
/// A convolution with these options, applied to the output, must give the activations' depth,
/// height and width. See `Conv3DTransposeLoop` for the formula. TFLite: `conv3d_transpose.cc`.
struct Conv3DTranspose: Operator {
  let options: Conv3DOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...4)
    let (filter, input) = (try node.volume(1), try node.volume(2))
    guard try node.input(0).shape.rank == 1 else {
      throw .rank(try node.input(0).shape.rank, wanted: "1", .input(0))
    }
    let wanted = try node.values(0, as: Int32.self).map { Int($0) }
    guard wanted.count == 5 else {
      throw .invalid("\(wanted.count) output dimensions, wanted 5", .input(0))
    }
    let shape = try Shape.checked(wanted, .input(0))
    guard filter.elementCount > 0, filter[4] == input[4] else {
      throw .invalid("\(filter) filter for \(input[4]) channels", .input(1))
    }
    guard shape[0] == input[0], shape[4] == filter[3] else {
      throw .invalid("output \(shape) of \(input) by \(filter)", .input(0))
    }
    try node.expectVolumeBias(3, channels: filter[3])
    let geometry = try VolumeGeometry(over: shape, filter: filter, options)
    guard geometry.axes.map(\.output) == Array(input.dimensions[1..<4]) else {
      throw .invalid("output \(shape) does not come from \(input)", .input(0))
    }
    let output = TensorType(
      .float32, shape, quantization: try node.declaredOutput().quantization)
    return Prepared(
      output,
      LoopKernel(
        Conv3DTransposeLoop(
          geometry: geometry, batchCount: input[0], inputDepth: input[4], outputDepth: filter[3],
          range: ActivationRange(options.fusedActivation))))
  }
}

/// The loop of `CONV_3D_TRANSPOSE`.
///
///     y[b, p·s + i·d − z, q·s + j·d − z, r·s + l·d − z, o] += x[b, p, q, r, k] · w[i, j, l, o, k]
///
/// over all activations and taps, from zero; then the bias is added and the activation applied.
/// Products that fall outside of the output are left out. TFLite: `reference/conv3d_transpose.h`.
package struct Conv3DTransposeLoop: SteppedLoop {
  /// The convolution whose transpose this is: it slides over the output, and its positions are the
  /// activations.
  package let geometry: VolumeGeometry
  /// Volumes in the batch.
  package let batchCount: Int
  /// Channels of the activations.
  package let inputDepth: Int
  /// Channels of the output.
  package let outputDepth: Int
  /// The fused activation.
  package let range: ActivationRange<Float>

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(2, as: Float.self)
    let filter = frame.input(1, as: Float.self)
    let bias = frame.input(3, as: Float.self)
    var output = frame.output(0, as: Float.self)
    for index in output.indices { output[index] = 0 }
    var (source, meter) = (0, frame.workMeter)
    for batch in 0..<batchCount {
      let start = batch * geometry.inputCount
      for plane in 0..<geometry.axes[0].output {
        for row in 0..<geometry.axes[1].output {
          for column in 0..<geometry.axes[2].output {
            for k in 0..<inputDepth {
              spread(
                input, source, k, from: (plane, row, column), filter, start, &output, &steps)
              source += 1
              try meter.add(geometry.windowCount * outputDepth)
            }
          }
        }
      }
    }
    for index in output.indices {
      steps.about(index)
      var sum = steps.accumulator(output[index])
      if !bias.isEmpty { sum = steps.sum(sum, steps.bias(bias, index % outputDepth), "bias") }
      output[index] = steps.activate(sum, range)
    }
  }

  /// Adds the products of the activation `input[source]`, of channel `k`, to the volume that begins
  /// at `start`.
  @_lifetime(output: copy output)
  @inline(__always)
  private func spread(
    _ input: Span<Float>, _ source: Int, _ k: Int,
    from position: (plane: Int, row: Int, column: Int), _ filter: Span<Float>, _ start: Int,
    _ output: inout MutableSpan<Float>, _ steps: inout some Steps
  ) {
    let value = input[source]
    let (planes, rows, columns) = (geometry.axes[0], geometry.axes[1], geometry.axes[2])
    let planeOrigin = planes.origin(position.plane)
    let rowOrigin = rows.origin(position.row)
    let columnOrigin = columns.origin(position.column)
    for planeTap in planes.taps(from: planeOrigin) {
      let plane = planeOrigin + planeTap * planes.dilation
      for rowTap in rows.taps(from: rowOrigin) {
        let row = plane * rows.input + rowOrigin + rowTap * rows.dilation
        for columnTap in columns.taps(from: columnOrigin) {
          let column = columnOrigin + columnTap * columns.dilation
          let target = (start + row * columns.input + column) * outputDepth
          let tap = (planeTap * rows.window + rowTap) * columns.window + columnTap
          var weight = tap * outputDepth * inputDepth + k
          for channel in 0..<outputDepth {
            steps.about(target + channel)
            output[target + channel] += steps.term(
              value * filter[weight], of: input, source, filter, weight)
            weight += inputDepth
          }
        }
      }
    }
  }
}
