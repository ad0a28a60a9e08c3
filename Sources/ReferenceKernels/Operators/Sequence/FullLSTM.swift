// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

/// What the options of the operators with full LSTM cells say, and the kernels they lead to.
struct FullLSTM {
  /// What is applied to the cell gate and the cell state; integer cells apply `tanh` whatever it
  /// is.
  let activation: FusedActivation
  /// The largest magnitude of the cell state; 0 for no limit.
  let cellClip: Float
  /// The largest magnitude of a projected output; 0 for no limit.
  let projectionClip: Float
  /// Whether hybrid kernels quantize vectors with a zero point.
  let isAsymmetric: Bool
  /// Whether hybrid kernels make use of weights that are stored without zeros.
  var usesSparsity = false

  /// The prepared kernel of a node with a single cell.
  ///
  /// - Throws: `KernelError` for tensors that contradict each other or have no kernel.
  func prepared(
    _ node: PrepareContext, _ layout: LSTMLayout, allowsDiagonals: Bool
  ) throws(KernelError) -> Prepared {
    try checkClips()
    let input = try node.input(0)
    let weights = try node.input(layout.tensors.inputWeights(.output)).elementType
    let declared = try node.declaredOutput()
    guard declared.elementType == input.elementType else {
      throw .elementType(declared.elementType, .output(0))
    }
    let output = TensorType(
      input.elementType,
      try Shape.checked(input.shape.dimensions.dropLast() + [layout.outputCount]),
      quantization: declared.quantization)
    switch (input.elementType, weights) {
    case (.float32, .float32):
      let loop = try loop(
        FloatCellProducts(.eigen(vectorCount: layout.vectorCount)), node, layout, weights,
        allowsDiagonals: allowsDiagonals)
      return Prepared(output, LoopKernel(loop), scratch: loop.scratch)
    case (.float32, .int8), (.float32, .uint8):
      let loop = try loop(
        HybridCellProducts(node, isAsymmetric: isAsymmetric, usesSparsity: usesSparsity), node,
        layout, weights, allowsDiagonals: allowsDiagonals)
      return Prepared(output, LoopKernel(loop), scratch: loop.scratch)
    case (.int8, .int8): return try integer(node, layout, output)
    case (let input, let weights):
      throw .unsupported("\(weights.schemaName) weights for \(input.schemaName) input")
    }
  }

  /// The loop of a cell with a float state.
  ///
  /// - Throws: `KernelError` for tensors that contradict each other.
  func loop<Products: CellProducts>(
    _ products: Products, _ node: PrepareContext, _ layout: LSTMLayout, _ weights: ElementType,
    allowsDiagonals: Bool = false
  ) throws(KernelError) -> FloatLSTMLoop<Products> {
    try layout.check(
      node, weights: weights, peepholes: weights, bias: .float32, layerNorm: .float32,
      allowsDiagonals: allowsDiagonals)
    try layout.checkStates(node, output: .float32, cell: .float32)
    return FloatLSTMLoop(
      layout: layout, products: products, activation: CellActivation(activation),
      cellClip: cellClip, projectionClip: projectionClip)
  }

  /// - Throws: `KernelError` where a limit is negative.
  func checkClips() throws(KernelError) {
    guard cellClip >= 0, projectionClip >= 0 else { throw .invalid("negative clip") }
  }

  private func integer(
    _ node: PrepareContext, _ layout: LSTMLayout, _ output: TensorType
  ) throws(KernelError) -> Prepared {
    try layout.check(
      node, weights: .int8, peepholes: .int16, bias: .int32, layerNorm: .int16,
      allowsDiagonals: false)
    try layout.checkStates(node, output: .int8, cell: .int16)
    guard node.intermediates.count == 12 else {
      let kernel = IntegerLSTM(
        layout,
        try IntegerLSTM.Constants(
          node, layout, cellClip: cellClip, projectionClip: projectionClip))
      return Prepared(output, kernel, scratch: kernel.scratch)
    }
    let kernel = NarrowLSTM(
      layout,
      try NarrowLSTM.Constants(node, layout, cellClip: cellClip, projectionClip: projectionClip))
    return Prepared(output, kernel, scratch: kernel.scratch)
  }
}
