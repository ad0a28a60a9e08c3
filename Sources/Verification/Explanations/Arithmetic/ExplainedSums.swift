// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension FloatAddition: ExplainedBinary {
  func explain(_ left: Element, _ right: Element, _ steps: inout StepList) -> StoredValue {
    let (a, b) = (left.widened, right.widened)
    let sum = steps.add(
      isSubtraction ? "difference" : "sum", "\(a) \(isSubtraction ? "-" : "+") \(b.operand)",
      float: isSubtraction ? a - b : a + b)
    return steps.narrow(steps.clamp(sum, range), to: Element.self)
  }
}

extension FloatMultiplication: ExplainedBinary {
  func explain(_ left: Element, _ right: Element, _ steps: inout StepList) -> StoredValue {
    let (a, b) = (left.widened, right.widened)
    let product = steps.add("product", "\(a) × \(b.operand)", float: a * b)
    return steps.narrow(steps.clamp(product, range), to: Element.self)
  }
}

extension FloatDivision: ExplainedBinary {
  func explain(_ left: Float, _ right: Float, _ steps: inout StepList) -> StoredValue {
    let quotient = steps.add("quotient", "\(left) / \(right.operand)", float: left / right)
    return .float(steps.clamp(quotient, range))
  }
}

extension StepList {
  /// A float as an element of a narrower type.
  mutating func narrow<Element: FloatElement>(
    _ value: Float, to type: Element.Type
  ) -> StoredValue {
    let stored = StoredValue(Element(narrowing: value))
    if Element.elementType != .float32 {
      add("stored", "\(value) as \(Element.elementType.schemaName)", stored)
    }
    return stored
  }

  /// An operand on its way to a scale that it shares with another one.
  mutating func scaled(_ code: Int32, _ operand: ScaledOperand, _ name: String) -> Int32 {
    let distance = add(
      "\(name) operand", "(\(code) - \(operand.zeroPoint.operand)) × 2^\(operand.shift)",
      integer: (code &- operand.zeroPoint) << operand.shift)
    return scale(distance, by: operand.multiplier, "\(name) multiplier")
  }
}

extension QuantizedAddition: ExplainedBinary {
  func explain(_ left: Element, _ right: Element, _ steps: inout StepList) -> StoredValue {
    let a = steps.scaled(Int32(left), self.left, "left")
    let b = steps.scaled(Int32(right), self.right, "right")
    let sum = steps.add(
      isSubtraction ? "difference" : "sum", "\(a) \(isSubtraction ? "-" : "+") \(b.operand)",
      integer: isSubtraction ? a &- b : a &+ b)
    let scaled = steps.scale(sum, by: output, "output multiplier")
    return steps.store(scaled, zeroPoint: outputZeroPoint, range, as: Element.self)
  }
}

extension PowerOfTwoAddition: ExplainedBinary {
  func explain(_ left: Int16, _ right: Int16, _ steps: inout StepList) -> StoredValue {
    let a = steps.shift(Int32(left), by: leftShift)
    let b = steps.shift(Int32(right), by: rightShift)
    let sum = steps.add(
      isSubtraction ? "difference" : "sum",
      "\(a) \(isSubtraction ? "-" : "+") \(b.operand), saturated at 16 bits",
      integer: Int32(Int16(clamping: isSubtraction ? a &- b : a &+ b)))
    return steps.store(steps.clamp(sum, range), as: Int16.self)
  }
}

extension QuantizedMultiplication: ExplainedBinary {
  func explain(_ left: Element, _ right: Element, _ steps: inout StepList) -> StoredValue {
    let a = steps.add(
      "left operand", "\(left) - \(leftZeroPoint.operand)", integer: Int32(left) &- leftZeroPoint)
    let b = steps.add(
      "right operand", "\(right) - \(rightZeroPoint.operand)",
      integer: Int32(right) &- rightZeroPoint)
    let product = steps.add("product", "\(a) × \(b.operand)", integer: a &* b)
    let scaled = steps.scale(product, by: multiplier)
    return steps.store(scaled, zeroPoint: outputZeroPoint, range, as: Element.self)
  }
}
