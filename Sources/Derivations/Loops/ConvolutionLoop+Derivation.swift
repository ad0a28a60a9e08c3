// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels
import Tensors

/// The operands of a sum of products, as its loops read them.
struct ProductOperands<Arithmetic: ConvolutionArithmetic> {
  let arithmetic: Arithmetic
  let node: EvaluatedNode
  let positions: ConvolutionPositions
  /// The weights, one element each.
  let filter: TensorBytes
  /// The quantized values of the image's activations, in kernels that quantize them.
  var quantizedValues: TensorBytes?

  /// How the sum of `record` comes to a value; activations are counted from `start` on.
  func derivation(_ record: TapRecorder.Record, start: Int) -> NodeDerivation? {
    var terms: [ExplainedTerm] = []
    var steps = StepList()
    var sum = arithmetic.start(channel: record.channel)
    terms.reserveCapacity(record.taps.count)
    for tap in record.taps {
      let activation =
        if let quantizedValues {
          quantizedValues.element(tap.input, as: Arithmetic.Input.self)
        } else {
          node.value(positions.input, start + tap.input, as: Arithmetic.Input.self)
        }
      guard let activation, let weight = filter.element(tap.filter, as: Arithmetic.Filter.self),
        let left = node.factor(
          positions.input, start + tap.input,
          quantized: quantizedValues?.element(tap.input, as: Int8.self).map { Int($0) }),
        let right = node.factor(positions.filter, tap.filter)
      else { return nil }
      arithmetic.accumulate(&sum, activation, weight, &steps)
      terms.append(ExplainedTerm(factors: [left, right], value: steps.terms.last?.value))
    }
    var bias: Arithmetic.Bias?
    if let location = record.bias {
      guard let value = node.value(positions.bias, location, as: Arithmetic.Bias.self) else {
        return nil
      }
      bias = value
    }
    let result = StoredValue(
      arithmetic.finish(sum, bias: bias, channel: record.channel, &steps))
    let biasElement = record.bias.flatMap { node.factor(positions.bias, $0) }
    return NodeDerivation(terms: terms, bias: biasElement, steps: steps, result: result)
  }
}

extension ConvolutionLoop: ExplainableLoop {
  package func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    guard let (batch, record) = try nest.record(of: output.flat, in: node),
      let filter = unpackedFilter ?? node.input(Nest.positions.filter)?.bytes
    else { return nil }
    let operands = ProductOperands(
      arithmetic: arithmetic, node: node, positions: Nest.positions, filter: filter)
    return operands.derivation(record, start: batch * nest.inputCount)
  }
}

extension HybridConvolutionLoop: ExplainableLoop {
  package func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    guard let (batch, record) = try nest.record(of: output.flat, in: node),
      let filter = unpackedFilter ?? node.input(Nest.positions.filter)?.bytes,
      let input = node.input(Nest.positions.input)?.bytes
    else { return nil }
    let start = batch * nest.inputCount
    let values = input.span(as: Float.self)
    guard start + nest.inputCount <= values.count else { return nil }
    let quantizedValues = TensorBytes(zeroed: nest.inputCount)
    var locations = quantizedValues.mutableSpan(as: Int8.self)
    var arithmetic = arithmetic
    arithmetic.input = quantization.quantize(
      values.extracting(start..<start + nest.inputCount), into: &locations)
    let operands = ProductOperands(
      arithmetic: arithmetic, node: node, positions: Nest.positions, filter: filter,
      quantizedValues: quantizedValues)
    return operands.derivation(record, start: start)
  }
}
