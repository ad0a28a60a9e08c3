// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Integer LSTM cells with constant weights: the same results as the reference kernel.
///
/// Sums are exact in any order. The products of some steps with the input are one product; each
/// step then has one with the states of all sequences. Gates are vectors from their sums on, with
/// room for cells that do not exist, up to whole vectors.
final class IntegerCells: Kernel {
  /// Rows of the input that are multiplied at once, if a step has not more.
  private static let rowStep = 24
  /// What cells are rounded up to: a multiple of what loops take at once on any level.
  private static let cellStep = 32

  let layout: LSTMLayout
  let constants: IntegerLSTM.Constants
  /// The gates in the order of their columns: the cell gate, whose function is another, is last.
  let gates: [IntegerGate]
  /// Cells, and those that are added for whole vectors.
  let stride: Int
  /// The factor of results.
  let result: WordFactor
  let projection: CellMatrix?
  let set: MicrokernelSet
  private let input: CellMatrix
  private let recurrent: CellMatrix
  private let stepCount: Int

  /// The cells of `kernel`; nil where weights are no constants, and with peepholes or layer
  /// normalization.
  init?(
    _ kernel: IntegerLSTM, _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let (layout, constants) = (kernel.layout, kernel.constants)
    let tensors = layout.tensors
    let order = layout.gates.filter { $0 != .cell } + [.output, .cell]
    let gates = order.compactMap { IntegerGate($0, constants) }
    let stride = roundedUp(layout.cellCount, to: Self.cellStep)
    guard !layout.hasPeepholes, !layout.hasLayerNorm, gates.count == order.count,
      let result = WordFactor(constants.result), WordFactor(constants.projection) != nil,
      let input = CellMatrix.packed(
        node, gates.map { tensors.inputWeights($0.gate) },
        biases: gates.map { tensors.bias($0.gate) }, rowCount: layout.cellCount,
        stride: stride, depth: layout.inputCount, zeroPoint: constants.inputZeroPoint, in: cache,
        set),
      let recurrent = CellMatrix.packed(
        node, gates.map { tensors.recurrentWeights($0.gate) }, biases: [],
        rowCount: layout.cellCount, stride: stride, depth: layout.outputCount,
        zeroPoint: constants.stateZeroPoint, in: cache, set)
    else { return nil }
    if layout.hasProjection {
      let bias = node.optionalInput(tensors.projectionBias) == nil ? [] : [tensors.projectionBias]
      guard
        let matrix = CellMatrix.packed(
          node, [tensors.projection], biases: bias, rowCount: layout.outputCount,
          stride: layout.outputCount, depth: layout.cellCount,
          zeroPoint: 0 &- constants.resultZeroPoint, in: cache, set)
      else { return nil }
      projection = matrix
    } else {
      projection = nil
    }
    self.layout = layout
    self.constants = constants
    self.gates = gates
    self.stride = stride
    self.result = result
    self.input = input
    self.recurrent = recurrent
    self.set = set
    stepCount = max(1, min(layout.timeCount, Self.rowStep / max(layout.batchCount, 1)))
  }

  /// Bytes of the scratch tensors: sums of some steps' inputs, sums of a step's states, the gates
  /// of one sequence before and after their function, then the function of its states, all cell
  /// states, results of a step, sums of its projection, and the products' memory.
  var scratch: [Int] {
    let (columns, batches) = (gates.count * stride, layout.batchCount)
    let matrices = [input, recurrent] + (projection.map { [$0] } ?? [])
    return [
      stepCount * batches * columns * 4, batches * columns * 4,
      (2 * columns + stride) * 2, batches * stride * 2, batches * stride,
      projection == nil ? 0 : batches * layout.outputCount * 4,
      (matrices.map { $0.scratchByteCount(set.byte) }.max() ?? 0) + AlignedMemory.alignment,
    ]
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    guard let locations = unsafe CellLocations(frame, layout) else { return }
    let batches = layout.batchCount
    let columns = gates.count * stride
    unsafe loadStates(locations)
    for first in Swift.stride(from: 0, to: layout.timeCount, by: stepCount) {
      let steps = min(stepCount, layout.timeCount - first)
      unsafe multiply(input, steps * batches, to: locations.inputSums, locations) { row in
        let step = layout.step(first + row / batches, of: row % batches)
        return unsafe locations.input + step * layout.inputCount
      }
      for step in 0..<steps {
        unsafe multiply(recurrent, batches, to: locations.recurrentSums, locations) { batch in
          unsafe UnsafeRawPointer(locations.outputState + batch * layout.outputCount)
        }
        for batch in 0..<batches {
          let sums = unsafe locations.inputSums + (step * batches + batch) * columns * 4
          unsafe compute(batch, sums, locations)
        }
        unsafe finish(first + step, locations)
      }
    }
    unsafe storeStates(locations)
  }

  /// Multiplies a matrix by the vectors at the addresses that `row` gives.
  func multiply(
    _ matrix: CellMatrix, _ rowCount: Int, to sums: UnsafeMutableRawPointer,
    _ locations: CellLocations,
    _ row: (Int) -> UnsafeRawPointer
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: rowCount) { rows in
      guard let base = rows.baseAddress else { return }
      for index in 0..<rowCount { unsafe (base + index).initialize(to: row(index)) }
      unsafe matrix.multiply(
        base, rowCount: rowCount, to: sums, scratch: locations.products, set.byte)
    }
  }
}

/// A gate's function and factors.
struct IntegerGate: Sendable {
  /// Which gate it is.
  let gate: LSTMGate
  /// Of the product with the input.
  let input: WordFactor
  /// Of the product with the output state.
  let recurrent: WordFactor

  /// The gate of these constants; nil where no vector kernel has its factors.
  init?(_ gate: LSTMGate, _ constants: IntegerLSTM.Constants) {
    let factors =
      switch gate {
      case .input: constants.input
      case .forget: constants.forget
      case .cell: constants.cell
      case .output: constants.output
      }
    guard let input = WordFactor(factors.input), let recurrent = WordFactor(factors.recurrent)
    else { return nil }
    self.gate = gate
    self.input = input
    self.recurrent = recurrent
  }
}

extension WordFactor {
  /// The factor of a reference kernel; nil where no vector kernel has it.
  init?(_ factor: FixedPointMultiplier) {
    guard !factor.shiftsHalvesUp else { return nil }
    self.init(
      significand: factor.significand, exponent: factor.exponent,
      roundsTwice: factor.rounding == .double)
  }
}
