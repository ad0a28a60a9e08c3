// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension FloatPrelu: ExplainedBinary {
  func explain(_ value: Float, _ slope: Float, _ steps: inout StepList) -> StoredValue {
    guard value >= 0 else {
      return .float(
        steps.add("product", "\(value) × \(slope.operand), being negative", float: value * slope))
    }
    return .float(steps.add("result", "\(value) as it is, not being negative", float: value))
  }
}

extension QuantizedPrelu: ExplainedBinary {
  func explain(_ value: Element, _ slope: Slope, _ steps: inout StepList) -> StoredValue {
    let distance = steps.add(
      "distance", "\(value) - \(inputZeroPoint.operand)", integer: Int32(value) &- inputZeroPoint)
    let scaled: Int32
    if distance >= 0 {
      scaled = steps.scale(distance, by: positive, "positive multiplier")
    } else {
      let factor = steps.add(
        "slope", "\(slope) - \(slopeZeroPoint.operand)", integer: Int32(slope) &- slopeZeroPoint)
      let product = steps.add(
        "product", "\(distance) × \(factor.operand)", integer: distance &* factor)
      scaled = steps.scale(product, by: negative, "negative multiplier")
    }
    return steps.store(steps.addZeroPoint(scaled, outputZeroPoint), as: Element.self)
  }
}

extension FloatSquaredDifference: ExplainedBinary {
  func explain(_ left: Float, _ right: Float, _ steps: inout StepList) -> StoredValue {
    let difference = steps.add(
      "difference", "\(left) - \(right.operand)", float: left - right)
    return .float(
      steps.add(
        "square", "\(difference.operand) × \(difference.operand)", float: difference * difference))
  }
}

extension QuantizedSquaredDifference: ExplainedBinary {
  func explain(_ left: Int8, _ right: Int8, _ steps: inout StepList) -> StoredValue {
    let a = steps.scaled(Int32(left), self.left, "left")
    let b = steps.scaled(Int32(right), self.right, "right")
    let difference = steps.add("difference", "\(a) - \(b.operand)", integer: a &- b)
    let square = steps.add(
      "square", "\(difference.operand) × \(difference.operand)", integer: difference &* difference)
    let scaled = steps.scale(square, by: output, "output multiplier")
    return steps.store(steps.addZeroPoint(scaled, outputZeroPoint), as: Int8.self)
  }
}
