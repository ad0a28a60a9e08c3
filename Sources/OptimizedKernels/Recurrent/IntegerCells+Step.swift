// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Where the tensors of an integer LSTM node lie.
@unsafe
struct CellLocations {
  let input: UnsafeRawPointer
  let output: UnsafeMutableRawPointer
  let outputState: UnsafeMutableRawPointer
  let cellState: UnsafeMutableRawPointer
  /// Sums of products with the inputs of some steps.
  let inputSums: UnsafeMutableRawPointer
  /// Sums of products with a step's states.
  let recurrentSums: UnsafeMutableRawPointer
  /// The gates of a sequence before and after their functions, then the function of its states.
  let gates: UnsafeMutablePointer<Int16>
  /// All cell states.
  let states: UnsafeMutablePointer<Int16>
  /// A step's results.
  let results: UnsafeMutablePointer<Int8>
  /// Sums of a step's projection.
  let projected: UnsafeMutablePointer<Int32>
  /// What products need, aligned.
  let products: UnsafeMutableRawPointer

  init?(_ frame: borrowing TensorFrame, _ layout: LSTMLayout) {
    guard let input = unsafe frame.inputAddress(layout.tensors.input),
      let outputState = unsafe frame.inputAddress(layout.tensors.outputState),
      let cellState = unsafe frame.inputAddress(layout.tensors.cellState)
    else { return nil }
    unsafe self.input = input
    unsafe output = frame.outputAddress(layout.output.position)
    unsafe self.outputState = UnsafeMutableRawPointer(mutating: outputState)
    unsafe self.cellState = UnsafeMutableRawPointer(mutating: cellState)
    unsafe inputSums = frame.scratchAddress(0)
    unsafe recurrentSums = frame.scratchAddress(1)
    unsafe gates = frame.scratchAddress(2).assumingMemoryBound(to: Int16.self)
    unsafe states = frame.scratchAddress(3).assumingMemoryBound(to: Int16.self)
    unsafe results = frame.scratchAddress(4).assumingMemoryBound(to: Int8.self)
    unsafe projected = frame.scratchAddress(5).assumingMemoryBound(to: Int32.self)
    unsafe products = frame.scratchAddress(6).alignedUp(toMultipleOf: AlignedMemory.alignment)
  }
}

extension IntegerCells {
  /// Copies the cell states to where each sequence has room for whole vectors.
  func loadStates(_ locations: CellLocations) {
    let byteCount = layout.cellCount * 2
    for batch in 0..<layout.batchCount {
      let target = unsafe UnsafeMutableRawPointer(locations.states + batch * stride)
      unsafe target.copyMemory(
        from: locations.cellState + batch * byteCount, byteCount: byteCount)
      unsafe (target + byteCount).initializeMemory(
        as: UInt8.self, repeating: 0, count: stride * 2 - byteCount)
    }
  }

  /// Copies the cell states back.
  func storeStates(_ locations: CellLocations) {
    let byteCount = layout.cellCount * 2
    for batch in 0..<layout.batchCount {
      unsafe (locations.cellState + batch * byteCount).copyMemory(
        from: locations.states + batch * stride, byteCount: byteCount)
    }
  }

  /// Computes the gates, the new states and the results of a sequence's step.
  func compute(_ batch: Int, _ inputSums: UnsafeMutableRawPointer, _ locations: CellLocations) {
    let columns = gates.count * stride
    let first = unsafe inputSums.assumingMemoryBound(to: Int32.self)
    let second =
      unsafe locations.recurrentSums.assumingMemoryBound(to: Int32.self) + batch * columns
    for (index, gate) in gates.enumerated() {
      let start = index * stride
      unsafe set.word.compute(
        CellGateTask(
          inputSums: first + start, recurrentSums: second + start, output: locations.gates + start,
          count: stride, input: gate.input, recurrent: gate.recurrent))
    }
    let values = unsafe locations.gates + columns
    let cellGate = columns - stride
    unsafe set.word.apply(
      .logistic, WordFunctionTask(input: locations.gates, output: values, count: cellGate))
    unsafe set.word.apply(
      .tanh(integerBits: 3),
      WordFunctionTask(input: locations.gates + cellGate, output: values + cellGate, count: stride))
    let states = unsafe locations.states + batch * stride
    unsafe set.word.update(
      CellStateTask(
        inputGate: layout.hasInputGate ? UnsafePointer(values) : nil,
        forgetGate: values + cellGate - 2 * stride, cellGate: values + cellGate, states: states,
        count: stride, shift: 30 + constants.cellScaleExponent, clip: constants.cellClip))
    let activated = unsafe values + columns
    unsafe set.word.apply(
      .tanh(integerBits: 15 + constants.cellScaleExponent),
      WordFunctionTask(input: states, output: activated, count: stride))
    // A projection takes its zero point with the opposite sign.
    let zeroPoint = constants.resultZeroPoint
    unsafe set.word.compute(
      CellResultTask(
        outputGate: values + cellGate - stride, states: activated,
        output: locations.results + batch * stride, count: stride, factor: result,
        zeroPoint: layout.hasProjection ? 0 &- zeroPoint : zeroPoint))
  }

  /// Writes the results of a step, projected where there is a projection, to states and output.
  func finish(_ time: Int, _ locations: CellLocations) {
    let (batches, outputs) = (layout.batchCount, layout.outputCount)
    if let projection {
      unsafe multiply(projection, batches, to: locations.projected, locations) { batch in
        unsafe UnsafeRawPointer(locations.results + batch * stride)
      }
      unsafe project(locations)
    } else {
      for batch in 0..<batches {
        unsafe (locations.outputState + batch * outputs).copyMemory(
          from: locations.results + batch * stride, byteCount: outputs)
      }
    }
    for batch in 0..<batches {
      let target = unsafe locations.output + layout.step(time, of: batch) * outputs
      unsafe target.copyMemory(
        from: locations.outputState + batch * outputs, byteCount: outputs)
    }
  }

  /// Turns the projection's sums into states.
  private func project(_ locations: CellLocations) {
    let states = unsafe locations.outputState.assumingMemoryBound(to: Int8.self)
    let factor = constants.projection
    let clip = constants.projectionClip
    for index in 0..<layout.batchCount * layout.outputCount {
      let scaled = unsafe exactlyScaled(
        locations.projected[index], significand: factor.significand, exponent: factor.exponent,
        roundsTwice: factor.rounding == .double)
      let value = Int8(clamping: scaled &+ constants.stateZeroPoint)
      unsafe states[index] = clip > 0 ? max(0 &- clip, min(clip, value)) : value
    }
  }
}
