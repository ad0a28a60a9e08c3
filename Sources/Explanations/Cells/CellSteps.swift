// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// Steps of cells with a float state.
extension StepList {
  /// The sum of two numbers.
  mutating func total(_ a: Float, _ b: Float) -> Float {
    add("sum", "\(a) + \(b.operand)", float: a + b)
  }

  /// The sum of float products in the order of the runtime's code for registers of four numbers.
  mutating func sum(
    _ products: [Float], _ order: LaneSum.Order, start: Float = 0, of noun: String = "products"
  ) -> Float {
    var sum = LaneSum(order, count: products.count, start: start)
    for index in products.indices { sum.add(products[index], at: index) }
    let isShort = products.count < (order == .evenAndOdd ? 8 : 4)
    let how = isShort ? LaneSum.Order.oneByOne.text : order.text
    return add(
      "accumulator",
      "\(start == 0 ? "" : "\(start) + ")sum of \(products.count) \(noun) in float32, \(how)",
      float: sum.value)
  }

  /// The logistic function of the element at `index` of a vector.
  mutating func logistic(_ x: Float, _ function: VectorLogistic, at index: Int) -> Float {
    add("logistic", "1 / (1 + exp(-\(x.operand)))", float: function.value(x, at: index))
  }

  /// A cell's activation; nothing is written down without one.
  mutating func activate(_ x: Float, _ activation: CellActivation) -> Float {
    let text: String
    switch activation.function {
    case .none: return x
    case .relu: text = "max(0, \(x))"
    case .reluN1To1: text = "\(x) to -1...1"
    case .relu6: text = "\(x) to 0...6"
    case .tanh: text = "tanh(\(x))"
    case .signBit: text = "1 where \(x) has a sign, else 0"
    }
    return add(activation.function.name, text, float: activation(x))
  }

  /// The hyperbolic tangent as Eigen computes it.
  mutating func tanh(_ x: Float) -> Float { activate(x, CellActivation(.tanh)) }

  /// A number limited to a magnitude; nothing is written down where the limit is 0, for none.
  mutating func clip<Number: SignedNumeric & Comparable>(_ value: Number, to limit: Number)
    -> Number
  {
    guard limit > 0 else { return value }
    // In this order NaN becomes the limit.
    let clipped = max(-limit, min(limit, value))
    add("clip", "\(value) to \(-limit)...\(limit)", Self.stored(clipped))
    return clipped
  }

  private static func stored<Number>(_ value: Number) -> StoredValue {
    switch value {
    case let value as Float: .float(value)
    case let value as Int16: .integer(Int(value))
    case let value as Int8: .integer(Int(value))
    case _: .string([])
    }
  }
}

extension FusedActivation {
  /// The activation's name as a step.
  fileprivate var name: String {
    switch self {
    case .none: "none"
    case .relu, .reluN1To1, .relu6: "rectified"
    case .tanh: "tanh"
    case .signBit: "sign bit"
    }
  }
}

extension LaneSum.Order {
  /// How products are added up.
  fileprivate var text: String {
    switch self {
    case .oneByOne: "one by one"
    case .inTurn: "every fourth for itself, ((s₀ + s₁) + s₂) + s₃"
    case .crosswise: "every fourth for itself, (s₀ + s₂) + (s₁ + s₃)"
    case .twoRegisters: "every eighth for itself, (s₀ + s₂) + (s₁ + s₃) of sᵢ + sᵢ₊₄"
    case .evenAndOdd: "every second for itself, s₀ + s₁"
    case .neighbors: "every fourth for itself, (s₀ + s₁) + (s₂ + s₃)"
    }
  }
}

/// Steps of cells with integer states.
extension StepList {
  /// A number saturated to the range of `type`.
  mutating func saturate<Element: FixedWidthInteger>(
    _ value: Int32, to type: Element.Type
  ) -> Element {
    add(
      "clamp", "\(value) to \(Element.min)...\(Element.max)", integer: Element(clamping: value))
  }

  /// A sum saturated to the range of `type`.
  mutating func saturatedSum<Element: FixedWidthInteger>(
    _ a: Int32, _ b: Int32, to type: Element.Type
  ) -> Element {
    saturate(add("sum", "\(a) + \(b.operand)", integer: a &+ b), to: type)
  }

  /// The product of two 16-bit numbers over a power of two, halves rounded away from zero.
  mutating func product(_ a: Int16, _ b: Int16, shift: Int32, _ name: String) -> Int16 {
    Int16(
      truncatingIfNeeded: self.shift(
        Int32(a) * Int32(b), "\(a) × \(b.operand)", by: shift, halvesUp: false, name))
  }

  /// gemmlowp's logistic function of a Q3.12 number, as a Q0.15 number.
  mutating func logistic(_ x: Int16) -> Int16 {
    add(
      "logistic", "2^15 / (1 + exp(-\(x.operand) / 2^12)), by gemmlowp's function",
      integer: FixedPoint16.logistic(x))
  }

  /// gemmlowp's hyperbolic tangent of a number with so many integer bits, as a Q0.15 number.
  mutating func tanh(_ x: Int16, integerBits: Int32) -> Int16 {
    add(
      "tanh", "2^15 × tanh(\(x) / 2^\(15 - integerBits)), by gemmlowp's function",
      integer: FixedPoint16.tanh(x, integerBits: integerBits))
  }
}
