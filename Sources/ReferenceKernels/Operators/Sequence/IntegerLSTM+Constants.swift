// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Tensors

extension IntegerLSTM.Constants {
  /// The constants of a node whose tensors `layout` has checked.
  ///
  /// Four intermediates give the scales of the gates' sums where there is layer normalization;
  /// else these are Q3.12. The fifth belongs to the cells' results. Factors are formed in
  /// float32. TFLite: `PopulateQuantizedLstmParams8x8_16`.
  ///
  /// - Throws: `KernelError` where quantization parameters are missing or unfit.
  init(
    _ node: PrepareContext, _ layout: LSTMLayout, cellClip: Float, projectionClip: Float
  ) throws(KernelError) {
    guard node.intermediates.count == 5 else {
      throw .invalid("\(node.intermediates.count) intermediates, wanted 5")
    }
    guard !layout.hasPeepholes || layout.outputCount <= layout.cellCount else {
      throw .unsupported("peepholes of \(layout.cellCount) cells for \(layout.outputCount) outputs")
    }
    let scales = Scales(node, layout)
    let state = try node.input(layout.tensors.outputState).affine(.input(18))
    let cellScale = try node.input(layout.tensors.cellState).affine(.input(19)).scale
    let result = try scales.intermediate(4)
    inputZeroPoint = try node.input(0).affine(.input(0)).zeroPoint
    stateZeroPoint = state.zeroPoint
    resultZeroPoint = result.zeroPoint
    cellScaleExponent = try Self.exponent(cellScale)

    let cellFactor = exp2(Double(cellScaleExponent))
    input = layout.hasInputGate ? try scales.gate(.input, 0, cellFactor) : scales.unused
    forget = try scales.gate(.forget, 1, cellFactor)
    cell = try scales.gate(.cell, 2, cellFactor)
    output = try scales.gate(.output, 3, cellFactor)
    self.result = scales.multiplier(Float(0x1p-15 / Double(result.scale) * 0x1p-15))
    projection =
      layout.hasProjection
      ? scales.multiplier(
        try scales.weights(layout.tensors.projection) * result.scale / state.scale)
      : scales.multiplier(1)
    self.cellClip = cellClip > 0 ? Int16(Self.clamped(cellClip / cellScale, -0x1p15, 0x7FFF)) : 0
    let outputScale = try node.declaredOutput().affine(.output(0)).scale
    self.projectionClip =
      projectionClip > 0 ? Int8(Self.clamped(projectionClip / outputScale, -128, 127)) : 0
  }

  /// The base-2 logarithm of a scale that is a power of two, within 0.001.
  private static func exponent(_ scale: Float) throws(KernelError) -> Int32 {
    let logarithm = FloatMath.log(scale) * (1 / FloatMath.log(2))
    let rounded = logarithm.rounded(.toNearestOrAwayFromZero)
    guard abs(logarithm - rounded) < 1e-3, (-15 ... -9).contains(rounded) else {
      throw .invalid("cell state's scale \(scale) is no power of two in 2^-15 ... 2^-9", .input(19))
    }
    return Int32(rounded)
  }

  /// `value` within the bounds; NaN becomes the upper one.
  private static func clamped(_ value: Float, _ lowest: Float, _ highest: Float) -> Float {
    max(lowest, min(highest, value))
  }
}

/// Access to the scales of an integer LSTM node.
private struct Scales {
  let node: PrepareContext
  let layout: LSTMLayout

  init(_ node: PrepareContext, _ layout: LSTMLayout) {
    self.node = node
    self.layout = layout
  }

  func multiplier(_ factor: Float, exponentOffset: Int32 = 0) -> FixedPointMultiplier {
    let factor = FixedPointMultiplier(Double(factor), rounding: node.rounding)
    return FixedPointMultiplier(
      significand: factor.significand, exponent: factor.exponent + exponentOffset,
      rounding: node.rounding)
  }

  func weights(_ position: Int) throws(KernelError) -> Float {
    try node.input(position).affine(.input(position)).scale
  }

  func intermediate(_ index: Int) throws(KernelError) -> Affine {
    guard let affine = node.intermediates[index]?.quantization?.perTensor else {
      throw .invalid("intermediate \(index) has no quantization parameters")
    }
    return affine
  }

  /// The constants of a gate that the node does not have.
  var unused: IntegerLSTM.Constants.Gate {
    let one = multiplier(1)
    return IntegerLSTM.Constants.Gate(
      input: one, recurrent: one, peephole: one, layerNorm: one, varianceGuard: 1)
  }

  func gate(
    _ gate: LSTMGate, _ index: Int, _ cellFactor: Double
  ) throws(KernelError) -> IntegerLSTM.Constants.Gate {
    let scale = layout.hasLayerNorm ? try intermediate(index).scale : 0x1p-12
    let input = try node.input(0).affine(.input(0)).scale
    let state = try weights(layout.tensors.outputState)
    var peephole: Float = 1
    if layout.hasPeepholes, let position = layout.tensors.peephole(gate) {
      peephole = Float(cellFactor * Double(try weights(position)) / Double(scale))
    }
    var layerNorm: Float = 1
    if layout.hasLayerNorm, let position = layout.tensors.layerNorm(gate) {
      layerNorm = try weights(position)
    }
    return IntegerLSTM.Constants.Gate(
      input: multiplier(try weights(layout.tensors.inputWeights(gate)) * input / scale),
      recurrent: multiplier(try weights(layout.tensors.recurrentWeights(gate)) * state / scale),
      peephole: multiplier(peephole), layerNorm: multiplier(layerNorm, exponentOffset: 12),
      // The guard keeps the normalization from overflowing.
      varianceGuard: max(1, Int32(max(0, min(10_000 * layerNorm, 0x1p30)))))
  }
}
