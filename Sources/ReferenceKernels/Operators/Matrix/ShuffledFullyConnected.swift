// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

/// `FULLY_CONNECTED` with weights in blocks of 4 rows and 16 columns, for one or four rows of
/// uint8 activations.
///
///     y[r, u] = clamp(m · (Σ over k of (x[r, k] − 128) · (w[u, k] − 128) + bias[u]))
///
/// Weights are stored as `[units / 4][depth / 16][4][16]` with the sign bit flipped, so that a
/// byte read as int8 is the quantized value less 128. The second output is TFLite's workspace: the
/// activations with the sign bit flipped, the rows interleaved in pieces of 16. Zero points are
/// 128 whatever the tensors say. TFLite: `ShuffledFullyConnected` in `fully_connected.h`.
package final class ShuffledFullyConnected: SteppedKernel {
  /// Rows, their length and the number of units.
  package let nest: FullyConnectedNest
  package let multiplier: FixedPointMultiplier
  package let range: ActivationRange<Int32>

  init(
    _ nest: FullyConnectedNest, multiplier: FixedPointMultiplier, range: ActivationRange<Int32>
  ) {
    self.nest = nest
    self.multiplier = multiplier
    self.range = range
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let (rows, depth, units) = (nest.batchCount, nest.inputCount, nest.outputDepth)
    let input = frame.input(0, as: UInt8.self)
    shuffle(input, frame, &steps)
    let activations = frame.output(1, as: Int8.self)
    let weights = frame.input(1, as: Int8.self)
    let bias = frame.input(2, as: Int32.self)
    var output = frame.output(0, as: Int16.self)
    var meter = frame.workMeter
    for row in 0..<rows {
      for unit in 0..<units {
        steps.about(row * units + unit)
        var sum: Int32 = 0
        for k in 0..<depth {
          let block = unit / 4 * (depth / 16) + k / 16
          let weight = (block * 4 + unit % 4) * 16 + k % 16
          let activation = activations[(k / 16 * rows + row) * 16 + k % 16]
          sum &+= steps.term(
            Int32(weights[weight]) * Int32(activation), of: input, row * depth + k,
            quantized: activation, named: "number", weights, weight)
        }
        let biased = steps.addBias(steps.accumulator(sum), steps.bias(bias, unit))
        let value = steps.clamp(steps.scale(biased, by: multiplier), range)
        output[row * units + unit] = steps.store(value, Int16(clamping: value))
        try meter.add(depth)
      }
    }
  }

  private func shuffle(
    _ input: Span<UInt8>, _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) {
    let (rows, depth) = (nest.batchCount, nest.inputCount)
    var workspace = frame.output(1, as: UInt8.self)
    for row in 0..<rows {
      for k in 0..<depth {
        let target = (k / 16 * rows + row) * 16 + k % 16
        steps.about(target, ofOutput: 1)
        let value = steps.read(input, row * depth + k)
        workspace[target] = steps.note(
          "sign bit", "\(value) with its highest bit inverted", value ^ 0x80)
      }
    }
  }
}

extension ConvolutionFormats {
  /// The kernel for weights in blocks of 4 × 16.
  func shuffled(
    _ nest: FullyConnectedNest, shape: Shape
  ) throws(KernelError) -> Prepared {
    let (input, filter) = (try node.input(0), try node.input(1))
    for (type, position) in [(input, 0), (filter, 1)] where type.elementType != .uint8 {
      throw .elementType(type.elementType, .input(position))
    }
    try expectOutput(.int16)
    try expectBias([.int32])
    _ = try node.input(2)
    let workspace = try node.declaredOutput(1)
    guard workspace.elementType == .uint8 else {
      throw .elementType(workspace.elementType, .output(1))
    }
    guard [1, 4].contains(nest.batchCount) else {
      throw .unsupported("\(nest.batchCount) rows with shuffled weights, wanted 1 or 4")
    }
    guard nest.inputCount % 16 == 0, nest.outputDepth % 4 == 0 else {
      throw .invalid("\(filter.shape) is no whole number of 4 × 16 blocks", .input(1))
    }
    let scales = try activationScales()
    let weights = try filter.affine(.input(1))
    try expectBiasScale(scales.input, weights, scales.output)
    let factors = singlePrecisionMultiplier(scales.input, weights, scales.output)
    let kernel = ShuffledFullyConnected(
      nest, multiplier: factors[0],
      range: try ActivationRange(activation, output: scales.output, as: Int16.self))
    let output = try node.declaredOutput()
    return Prepared(
      outputs: [
        TensorType(.int16, shape, quantization: output.quantization),
        TensorType(
          .uint8, try Shape.checked([nest.batchCount, nest.inputCount]),
          quantization: workspace.quantization),
      ],
      kernel: kernel)
  }
}
