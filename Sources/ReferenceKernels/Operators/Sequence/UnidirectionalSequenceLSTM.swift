// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// `UNIDIRECTIONAL_SEQUENCE_LSTM`: a full LSTM cell runs over sequences; see `FloatLSTMLoop` and
/// `IntegerLSTM` for the formulas.
///
/// - Input 0: `[batch, time, inputs]`, or `[time, batch, inputs]` where the options say so; a
///   single step may leave out the time.
/// - Inputs 1 to 17 and 20 to 23: weights and biases, see `LSTMGate` and `LSTMLayout`.
/// - Inputs 18 and 19: output state and cell state, variables.
/// - Output: like input 0 with `outputs` elements in a step.
///
/// Quantised nodes carry five intermediates. TFLite: `unidirectional_sequence_lstm.cc`.
struct UnidirectionalSequenceLSTM: Operator {
  let options: UnidirectionalSequenceLSTMOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let layout = try LSTMLayout(node, isTimeMajor: options.timeMajor)
    guard options.cellClip >= 0, options.projectionClip >= 0 else {
      throw .invalid("negative clip")
    }
    let input = try node.input(0)
    let weights = try node.input(LSTMGate.output.inputWeights).elementType
    let declared = try node.declaredOutput()
    try node.expect(inputs: 20...24)
    guard declared.elementType == input.elementType else {
      throw .elementType(declared.elementType, .output(0))
    }
    let output = TensorType(
      input.elementType,
      try Shape.checked(input.shape.dimensions.dropLast() + [layout.outputCount]),
      quantization: declared.quantization)
    switch (input.elementType, weights) {
    case (.float32, .float32):
      return try float(FloatCellProducts(), node, layout, output, weights)
    case (.float32, .int8), (.float32, .uint8):
      let products = HybridCellProducts(
        scales: node.inputs.map { $0?.type.quantization?.perTensor?.scale ?? 1 },
        quantization: options.asymmetricQuantizeInputs ? .asymmetric : .symmetric)
      return try float(products, node, layout, output, weights)
    case (.int8, .int8):
      try layout.check(
        node, weights: .int8, peepholes: .int16, bias: .int32, layerNorm: .int16,
        allowsDiagonals: false)
      try layout.checkStates(node, output: .int8, cell: .int16)
      let kernel = IntegerLSTM(
        layout,
        try IntegerLSTM.Constants(
          node, layout, cellClip: options.cellClip, projectionClip: options.projectionClip))
      return Prepared(output, kernel, scratch: kernel.scratch)
    case (let input, let weights):
      throw .unsupported("\(weights.schemaName) weights for \(input.schemaName) input")
    }
  }

  private func float<Products: CellProducts>(
    _ products: Products, _ node: PrepareContext, _ layout: LSTMLayout, _ output: TensorType,
    _ weights: ElementType
  ) throws(KernelError) -> Prepared {
    try layout.check(
      node, weights: weights, peepholes: weights, bias: .float32, layerNorm: .float32,
      allowsDiagonals: true)
    try layout.checkStates(node, output: .float32, cell: .float32)
    let loop = FloatLSTMLoop(
      layout: layout, products: products, activation: CellActivation(options.fusedActivation),
      cellClip: options.cellClip, projectionClip: options.projectionClip)
    return Prepared(output, LoopKernel(loop), scratch: loop.scratch)
  }
}

extension CatalogEntry {
  /// `UNIDIRECTIONAL_SEQUENCE_LSTM`.
  static let unidirectionalSequenceLSTM = CatalogEntry(
    .unidirectionalSequenceLSTM,
    variants: """
      f32 f32_ln hybrid_i8 hybrid_i8_ln hybrid_i8_asym hybrid_i8_asym_ln hybrid_u8 hybrid_u8_ln \
      f32_diag i8x8_16_q
      """
  ) { node throws(KernelError) in
    UnidirectionalSequenceLSTM(options: try node.options())
  }
}
