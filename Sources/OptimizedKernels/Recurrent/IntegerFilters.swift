// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `SVDF` with an integer state and constant weights: the same results as the reference kernel.
final class IntegerFilters: Kernel {
  private let layout: SVDFLayout
  private let hasByteState: Bool
  private let features: CellMatrix
  private let feature: WordFactor
  private let result: WordFactor
  private let stateZeroPoint: Int32
  private let outputZeroPoint: Int32
  private let kernels: ByteMicrokernels

  /// The filters of `kernel`; nil where their weights for inputs are no constants.
  init?<State: CellInteger>(
    _ kernel: IntegerSVDF<State>, _ node: PrepareContext, _ cache: WeightCache,
    _ set: MicrokernelSet
  ) {
    let layout = kernel.layout
    guard let feature = WordFactor(kernel.feature), let result = WordFactor(kernel.result),
      let features = CellMatrix.packed(
        node, [1], biases: [], rowCount: layout.filterCount, stride: layout.filterCount,
        depth: layout.inputCount, zeroPoint: kernel.inputZeroPoint, in: cache, set)
    else { return nil }
    self.layout = layout
    hasByteState = State.elementType == .int8
    self.features = features
    self.feature = feature
    self.result = result
    stateZeroPoint = kernel.stateZeroPoint
    outputZeroPoint = kernel.outputZeroPoint
    kernels = set.byte
  }

  /// Bytes of the scratch tensors: sums of a row's features, and the product's memory.
  var scratch: [Int] {
    [layout.filterCount * 4, features.scratchByteCount(kernels) + AlignedMemory.alignment]
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    // Of a generic class, this would be compiled once for all types.
    if hasByteState { evaluate(frame, as: Int8.self) } else { evaluate(frame, as: Int16.self) }
  }

  private func evaluate<State: CellInteger>(_ frame: borrowing TensorFrame, as _: State.Type) {
    guard let input = unsafe frame.inputAddress(0), let state = unsafe frame.inputAddress(4),
      let time = unsafe frame.inputAddress(2)
    else { return }
    let sums = unsafe frame.scratchAddress(0)
    let memory = unsafe UnsafeMutableRawPointer(mutating: state)
      .assumingMemoryBound(to: State.self)
    for batch in 0..<layout.batchCount {
      unsafe withUnsafePointer(to: input + batch * layout.inputCount) { row in
        unsafe features.multiply(
          row, rowCount: 1, to: sums,
          scratch: frame.scratchAddress(1).alignedUp(toMultipleOf: AlignedMemory.alignment),
          kernels)
      }
      let locations = unsafe Locations<State>(
        features: sums.assumingMemoryBound(to: Int32.self),
        memory: memory + batch * layout.filterCount * layout.memoryCount,
        time: time.assumingMemoryBound(to: State.self),
        bias: frame.inputAddress(3)?.assumingMemoryBound(to: Int32.self),
        output: frame.outputAddress(0).assumingMemoryBound(to: Int8.self) + batch
          * layout.unitCount)
      unsafe filter(locations)
    }
  }

  /// Where a row's tensors lie.
  @unsafe
  private struct Locations<State> {
    let features: UnsafePointer<Int32>
    let memory: UnsafeMutablePointer<State>
    let time: UnsafePointer<State>
    let bias: UnsafePointer<Int32>?
    let output: UnsafeMutablePointer<Int8>
  }

  /// The outputs of a row from its features.
  private func filter<State: CellInteger>(_ locations: Locations<State>) {
    let steps = layout.memoryCount
    let count = layout.filterCount * steps
    guard count > 0 else { return }
    // A constant for int16, whose products the compiler then adds in pairs.
    let zeroPoint = State.elementType == .int8 ? stateZeroPoint : 0
    // All memories move by one step at once: what one gets of the next is its newest value's place.
    unsafe locations.memory.update(from: locations.memory + 1, count: count - 1)
    // Sums come later: vectors that were written in parts a moment ago are slow to load.
    for filter in 0..<layout.filterCount {
      unsafe locations.memory[filter * steps + steps - 1] = State(
        clamping: scaled(locations.features[filter], feature) &+ zeroPoint)
    }
    for unit in 0..<layout.unitCount {
      var sum = unsafe locations.bias?[unit] ?? 0
      for filter in unit * layout.rank..<(unit + 1) * layout.rank {
        let memory = unsafe locations.memory + filter * steps
        let time = unsafe locations.time + filter * steps
        for step in 0..<steps {
          unsafe sum &+= Int32(time[step]) &* (Int32(memory[step]) &- zeroPoint)
        }
      }
      unsafe locations.output[unit] = Int8(clamping: scaled(sum, result) &+ outputZeroPoint)
    }
  }

  private func scaled(_ sum: Int32, _ factor: WordFactor) -> Int32 {
    exactlyScaled(
      sum, significand: factor.significand, exponent: factor.exponent,
      roundsTwice: factor.roundsTwice)
  }
}
