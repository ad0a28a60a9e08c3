// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
package import Tensors

extension NarrowLSTM {
  /// What the scales of a node with twelve intermediates come to.
  package struct Constants: Sendable {
    /// Zero points of the input and the output state.
    package let inputZeroPoint: Int32
    package let stateZeroPoint: Int32
    /// The gates' factors.
    package let forget: Gate
    package let cell: Gate
    package let output: Gate
    /// From the projection's sums to the output.
    package let projection: FixedPointMultiplier
    /// The largest magnitudes; 0 for no limit.
    package let cellClip: Int16
    package let projectionClip: Int8

    /// A gate's factors.
    package struct Gate: Sendable {
      package let input: NarrowProduct
      package let recurrent: NarrowProduct
      /// The scale of the coefficients for layer normalization.
      package let layerNormScale: Float
    }
  }
}

extension NarrowLSTM.Constants {
  /// The constants of a node whose tensors `layout` has checked.
  ///
  /// Each gate has three intermediates: its sum, `W x` and `R h`. In the output gate TFLite takes
  /// the zero point of `R h` from the cell gate's `W x`, and instead of the significand of the
  /// factor that brings `R h` to the gate's scale the exponent of the forget gate's.
  /// TFLite: `PopulateQuantizedLstmParams8x8_8` (`lstm.cc`).
  ///
  /// - Throws: `KernelError` where tensors or quantization parameters are missing.
  init(
    _ node: PrepareContext, _ layout: LSTMLayout, cellClip: Float, projectionClip: Float
  ) throws(KernelError) {
    guard layout.hasLayerNorm, layout.hasProjection,
      node.optionalInput(layout.tensors.projectionBias) != nil
    else {
      throw .unsupported("12 intermediates without layer normalization, projection and its bias")
    }
    let scales = NarrowScales(node, layout)
    let forgetState = scales.multiplier(
      try scales.intermediate(5).scale / (try scales.intermediate(3).scale))
    inputZeroPoint = try node.input(layout.tensors.input).affine(.input(0)).zeroPoint
    let state = try node.input(layout.tensors.outputState).affine(.input(18))
    stateZeroPoint = state.zeroPoint
    forget = try scales.gate(.forget, sum: 3)
    cell = try scales.gate(.cell, sum: 6)
    output = try scales.gate(
      .output, sum: 9, stateZeroPoint: scales.intermediate(7).zeroPoint,
      stateSignificand: forgetState.exponent)
    let projectionScale = try scales.weights(layout.tensors.projection)
    projection = scales.multiplier(Float(Double(projectionScale) * 0x1p-15 / Double(state.scale)))
    let cellScale = try node.input(layout.tensors.cellState).affine(.input(19)).scale
    // With another scale TFLite stops reading its parameters here, and goes on without limits.
    let hasUsualScale = cellScale == 0x1p-15
    self.cellClip =
      hasUsualScale && cellClip > 0 && cellClip < 1
      ? Int16(max(-0x1p15, min(0x7FFF, cellClip / cellScale))) : 0
    let outputScale = try node.declaredOutput().affine(.output(0)).scale
    self.projectionClip =
      hasUsualScale && projectionClip > 0
      ? Int8(max(-128, min(127, projectionClip / outputScale))) : 0
  }
}

/// Access to the scales of a node with twelve intermediates.
private struct NarrowScales {
  let node: PrepareContext
  let layout: LSTMLayout

  init(_ node: PrepareContext, _ layout: LSTMLayout) {
    self.node = node
    self.layout = layout
  }

  func multiplier(_ factor: Float) -> FixedPointMultiplier {
    FixedPointMultiplier(Double(factor), rounding: node.rounding)
  }

  func weights(_ position: Int) throws(KernelError) -> Float {
    try node.input(position).affine(.input(position)).scale
  }

  func intermediate(_ index: Int) throws(KernelError) -> Affine {
    guard index < node.intermediates.count,
      let affine = node.intermediates[index]?.quantization?.perTensor, affine.scale.isFinite,
      affine.scale > 0
    else {
      throw .invalid("intermediate \(index) has no quantization parameters")
    }
    return affine
  }

  /// The factors of a gate whose intermediates start at `sum`.
  func gate(
    _ gate: LSTMGate, sum: Int, stateZeroPoint: Int32? = nil, stateSignificand: Int32? = nil
  ) throws(KernelError) -> NarrowLSTM.Constants.Gate {
    let tensors = layout.tensors
    let sumScale = try intermediate(sum).scale
    let fromInput = try intermediate(sum + 1)
    let fromState = try intermediate(sum + 2)
    let input = try weights(tensors.input)
    let state = try weights(tensors.outputState)
    let stateToGate = multiplier(fromState.scale / sumScale)
    // The coefficients' scale passes through a fixed-point number.
    let layerNorm = multiplier(try weights(tensors.layerNorm(gate) ?? 0))
    return NarrowLSTM.Constants.Gate(
      input: NarrowProduct(
        toByte: multiplier(try weights(tensors.inputWeights(gate)) * input / fromInput.scale),
        zeroPoint: byte(fromInput.zeroPoint), toGate: multiplier(fromInput.scale / sumScale)),
      recurrent: NarrowProduct(
        toByte: multiplier(try weights(tensors.recurrentWeights(gate)) * state / fromState.scale),
        zeroPoint: byte(stateZeroPoint ?? fromState.zeroPoint),
        toGate: FixedPointMultiplier(
          significand: stateSignificand ?? stateToGate.significand,
          exponent: stateToGate.exponent, rounding: node.rounding)),
      layerNormScale: Float(
        Double(layerNorm.significand) * exp2(Double(layerNorm.exponent) - 31)))
  }

  /// A zero point as TFLite passes it on.
  private func byte(_ zeroPoint: Int32) -> Int32 { Int32(Int8(truncatingIfNeeded: zeroPoint)) }
}
