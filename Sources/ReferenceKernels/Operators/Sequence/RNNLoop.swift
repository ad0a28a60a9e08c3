// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Where a node has the tensors of one simple recurrent cell.
package struct RNNTensors: Sendable {
  /// The sequence.
  package var input: Int
  /// `[units, inputs]`.
  package let inputWeights: Int
  /// `[units, units]`.
  package let recurrentWeights: Int
  /// `[units]`.
  package let bias: Int
  /// The hidden state `[batch, units]`, a variable.
  package let state: Int
  /// A second sequence, and its weights `[units, auxiliary inputs]`.
  package var auxiliary: (input: Int, weights: Int)?

  /// Those of a node with a single cell.
  package static let single = RNNTensors(
    input: 0, inputWeights: 1, recurrentWeights: 2, bias: 3, state: 4)
}

/// The sizes of a simple recurrent cell that runs over a sequence.
package struct RNNLayout: Sendable {
  /// Where the node has the cell's tensors.
  package let tensors: RNNTensors
  /// Steps of the sequence.
  package let timeCount: Int
  /// Sequences in the batch.
  package let batchCount: Int
  /// Whether all first steps come before all second steps, or whole sequences one after another.
  package let isTimeMajor: Bool
  /// Whether the sequence is walked from its end.
  package let isBackward: Bool
  /// Elements of a step's input.
  package let inputCount: Int
  /// Elements of a step's auxiliary input; 0 without one.
  package let auxiliaryCount: Int
  /// Units: elements of a step's output.
  package let unitCount: Int
  /// Where results go.
  package var output: SequenceOutput
  /// How many times the sequence is walked.
  package var passCount = 1
  /// Elements from one step of the auxiliary input to the next.
  package var auxiliaryStride: Int

  /// The layout of the cell that has `tensors`, with every tensor checked.
  ///
  /// The sequence's sizes are those of input 0, even where the cell reads another one.
  ///
  /// - Throws: `KernelError` where tensors are missing or sizes contradict each other.
  init(
    _ node: PrepareContext, _ tensors: RNNTensors = .single, isTimeMajor: Bool = false,
    isBackward: Bool = false
  ) throws(KernelError) {
    let input = try node.input(0)
    let shape = input.shape
    guard input.elementType == .float32 else { throw .elementType(input.elementType, .input(0)) }
    let weights = try node.input(tensors.inputWeights)
    guard weights.shape.rank == 2 else {
      throw .rank(weights.shape.rank, wanted: "2", .input(tensors.inputWeights))
    }
    self.tensors = tensors
    self.isTimeMajor = isTimeMajor
    self.isBackward = isBackward
    timeCount = shape.rank == 3 ? shape[isTimeMajor ? 0 : 1] : 1
    batchCount = shape[shape.rank == 3 && isTimeMajor ? 1 : 0]
    inputCount = shape[shape.rank - 1]
    unitCount = weights.shape[0]
    output = SequenceOutput(position: 0, stride: unitCount)
    try node.expect(tensors.inputWeights, weights.elementType, [unitCount, inputCount])
    try node.expect(tensors.recurrentWeights, weights.elementType, [unitCount, unitCount])
    try node.expect(tensors.bias, .float32, [unitCount])
    try node.expectState(tensors.state, .float32, elementCount: batchCount * unitCount)
    guard let auxiliary = tensors.auxiliary else {
      auxiliaryCount = 0
      auxiliaryStride = 0
      return
    }
    let second = try node.input(auxiliary.input)
    auxiliaryCount = second.shape.dimensions.last ?? 0
    auxiliaryStride = auxiliaryCount
    try node.expect(
      auxiliary.input, .float32, shape.dimensions.dropLast() + [auxiliaryCount])
    try node.expect(auxiliary.weights, weights.elementType, [unitCount, auxiliaryCount])
  }

  /// Where the step `time` of sequence `batch` lies among all steps.
  package func step(_ time: Int, of batch: Int) -> Int {
    isTimeMajor ? time * batchCount + batch : batch * timeCount + time
  }

  /// Where the auxiliary input of a step starts.
  package func auxiliaryStart(_ time: Int, of batch: Int) -> Int {
    isTimeMajor
      ? time * batchCount * auxiliaryStride + batch * auxiliaryCount
      : step(time, of: batch) * auxiliaryStride
  }
}

/// The simple recurrent cell with a float state, over a sequence.
///
///     h ← act(b + W x + A a + R h)
///
/// `a` is the auxiliary input, if there is one; the output is `h`.
/// TFLite: `RnnBatchStep` (`kernel_utils.cc`).
package struct RNNLoop<Products: CellProducts>: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.recurrent, Products.Quantized.elementType) }

  /// The sizes.
  package let layout: RNNLayout
  /// The matrix products.
  package let products: Products
  /// What is applied to each sum.
  package let activation: CellActivation

  /// Bytes of the scratch tensors: quantized values of the input, the auxiliary input and the
  /// state; sums of products.
  package var scratch: [Int] {
    let quantized = MemoryLayout<Products.Quantized>.stride
    return [
      layout.inputCount * quantized, layout.auxiliaryCount * quantized,
      layout.unitCount * quantized,
      layout.unitCount * MemoryLayout<Float>.stride,
    ]
  }

  /// The same cell with other products.
  package func with<Other: CellProducts>(_ products: Other) -> RNNLoop<Other> {
    RNNLoop<Other>(layout: layout, products: products, activation: activation)
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    for pass in 1...layout.passCount {
      for time in 0..<layout.timeCount {
        let location = layout.isBackward ? layout.timeCount - 1 - time : time
        for batch in 0..<layout.batchCount {
          step(frame, location, batch, isLast: pass == layout.passCount, &steps)
        }
      }
    }
  }

  private func step(
    _ frame: borrowing TensorFrame, _ time: Int, _ batch: Int, isLast: Bool,
    _ steps: inout some Steps
  ) {
    let step = layout.step(time, of: batch)
    let results = StepResults(
      position: layout.output.position, first: layout.output.first(of: step),
      count: isLast ? layout.unitCount : 0)
    let bias = frame.input(layout.tensors.bias, as: Float.self)
    let previous = frame.variable(layout.tensors.state, as: Float.self)
    var output = frame.output(layout.output.position, as: Float.self)
    steps.part("input")
    for unit in 0..<layout.unitCount {
      steps.about(unit, of: results)
      output[results.first + unit] = steps.element("bias", bias, unit)
    }
    let input = frame.input(layout.tensors.input, as: Float.self).extracting(
      step * layout.inputCount..<(step + 1) * layout.inputCount)
    add(
      layout.tensors.inputWeights, input, frame, quantizedValues: 0, to: &output, results, &steps)
    if let auxiliary = layout.tensors.auxiliary {
      let first = layout.auxiliaryStart(time, of: batch)
      let vector = frame.input(auxiliary.input, as: Float.self).extracting(
        first..<first + layout.auxiliaryCount)
      steps.part("auxiliary input")
      add(auxiliary.weights, vector, frame, quantizedValues: 1, to: &output, results, &steps)
    }
    let units = batch * layout.unitCount..<(batch + 1) * layout.unitCount
    steps.part("state")
    add(
      layout.tensors.recurrentWeights, previous.span.extracting(units), frame, quantizedValues: 2,
      to: &output, results, &steps)
    var state = frame.variable(layout.tensors.state, as: Float.self)
    steps.part("output")
    for unit in 0..<layout.unitCount {
      steps.about(unit, of: results)
      let value = activation(output[results.first + unit], &steps)
      output[results.first + unit] = value
      state[units.lowerBound + unit] = value
    }
  }

  /// Adds the product of the weights at `position` and `vector` to a step's results.
  @_lifetime(output: copy output)
  private func add<S: Steps>(
    _ position: Int, _ vector: Span<Float>, _ frame: borrowing TensorFrame, quantizedValues: Int,
    to output: inout MutableSpan<Float>, _ results: StepResults, _ steps: inout S
  ) {
    var quantizedValues = frame.scratch(quantizedValues, as: Products.Quantized.self)
    var sums = frame.scratch(3, as: Float.self)
    let meaning = products.encode(vector, into: &quantizedValues)
    products.multiply(
      CellProduct(
        weights: position, rows: layout.unitCount, columns: vector.count, vector: meaning,
        location: 0),
      frame, vector, as: quantizedValues.span,
      bias: output.span.extracting(results.first..<results.first + layout.unitCount), to: &sums,
      &steps
    ) { unit, steps in steps.about(unit, of: results) }
    for unit in 0..<layout.unitCount { output[results.first + unit] = sums[unit] }
  }
}
