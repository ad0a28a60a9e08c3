// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// A number format of sums of products that can tell its steps.
protocol ExplainedProducts: ConvolutionArithmetic {
  /// What one activation and one weight contribute to the sum of `channel`.
  func product(_ input: Input, _ filter: Filter, channel: Int) -> StoredValue

  /// The steps from the products to the stored value.
  func finish(
    _ products: [StoredValue], bias: Bias?, channel: Int, _ steps: inout StepList
  ) -> StoredValue
}

extension StepList {
  /// The sum of integer products, which wraps at the width of `Sum`.
  mutating func sum<Sum: FixedWidthInteger>(
    _ products: [StoredValue], as type: Sum.Type
  ) -> Sum {
    let integers = products.compactMap { product in
      if case .integer(let value) = product { value } else { nil }
    }
    return sum(integers, as: type)
  }

  /// The sum of integer products, which wraps at the width of `Sum`.
  mutating func sum<Sum: FixedWidthInteger>(_ products: [Int], as type: Sum.Type) -> Sum {
    add(
      "accumulator", "sum of \(products.count) products",
      integer: products.reduce(0) { $0 &+ Sum(truncatingIfNeeded: $1) })
  }

  /// The sum of float products, one by one in their order, from zero on.
  mutating func sum(_ terms: [StoredValue], of noun: String = "products") -> Float {
    var sum: Float = 0
    for case .float(let term) in terms { sum += term }
    return add(
      "accumulator", "sum of \(terms.count) \(noun) in float32, in this order", float: sum)
  }

  /// An integer sum with its bias; unchanged without one.
  mutating func addBias<Sum: FixedWidthInteger>(_ sum: Sum, _ bias: Sum?) -> Sum {
    guard let bias else { return sum }
    return add("bias", "\(sum) + \(bias.operand)", integer: sum &+ bias)
  }

  /// A float sum with its bias.
  ///
  /// Without one, zero is added, which makes positive zero of negative zero.
  mutating func addBias(_ sum: Float, _ bias: Float?) -> Float {
    guard let bias else { return sum + 0 }
    return add("bias", "\(sum) + \(bias.operand)", float: sum + bias)
  }

  /// A number of steps of the output's scale as a stored code.
  mutating func store<Element: FixedWidthInteger>(
    _ scaled: Int32, zeroPoint: Int32, _ range: ActivationRange<Int32>, as type: Element.Type
  ) -> StoredValue {
    let code = addZeroPoint(scaled, zeroPoint)
    return store(clamp(code, range), as: type)
  }
}

extension FloatConvolution: ExplainedProducts {
  func product(_ input: Float, _ filter: Float, channel: Int) -> StoredValue {
    .float(input * filter)
  }

  func finish(
    _ products: [StoredValue], bias: Float?, channel: Int, _ steps: inout StepList
  ) -> StoredValue {
    let sum = steps.sum(products)
    let biased = steps.addBias(sum, bias)
    return .float(steps.clamp(biased, range))
  }
}

extension QuantizedConvolution: ExplainedProducts {
  func product(_ input: Activation, _ filter: Weight, channel: Int) -> StoredValue {
    .integer((Int(input) - Int(inputZeroPoint)) * (Int(filter) - Int(filterZeroPoint)))
  }

  func finish(
    _ products: [StoredValue], bias: Int32?, channel: Int, _ steps: inout StepList
  ) -> StoredValue {
    let sum = steps.sum(products, as: Int32.self)
    let scaled = steps.scale(steps.addBias(sum, bias), by: multipliers[channel])
    return steps.store(scaled, zeroPoint: outputZeroPoint, range, as: Activation.self)
  }
}

extension WideProducts: ExplainedProducts {
  func product(_ input: Int16, _ filter: Weight, channel: Int) -> StoredValue {
    .integer(Int(input) * (Int(filter) - Int(filterZeroPoint)))
  }

  func finish(
    _ products: [StoredValue], bias: Bias?, channel: Int, _ steps: inout StepList
  ) -> StoredValue {
    let sum = steps.sum(products, as: Int64.self)
    let biased = steps.addBias(sum, bias.map { Int64($0) })
    let scaled = steps.scaleWide(biased, by: multipliers[channel])
    return steps.store(steps.clamp(scaled, range), as: Int16.self)
  }
}

extension QuantizedFullyConnected: ExplainedProducts {
  func product(_ input: Activation, _ filter: Weight, channel: Int) -> StoredValue {
    .integer((Int(input) - Int(inputZeroPoint)) * (Int(filter) - Int(filterZeroPoint)))
  }

  func finish(
    _ products: [StoredValue], bias: Sum?, channel: Int, _ steps: inout StepList
  ) -> StoredValue {
    let sum = steps.addBias(steps.sum(products, as: Sum.self), bias)
    let scaled: Int32
    switch scaling {
    case .real(let factors):
      scaled = steps.scaleReal(sum, by: factors.count == 1 ? factors[0] : factors[channel])
    case .fixedPoint(let factors) where Sum.bitWidth == 32:
      scaled = steps.scale(Int32(truncatingIfNeeded: sum), by: factors[channel])
    case .fixedPoint(let factors):
      scaled = steps.scaleWide(Int64(truncatingIfNeeded: sum), by: factors[channel])
    }
    return steps.store(scaled, zeroPoint: outputZeroPoint, range, as: Result.self)
  }
}
