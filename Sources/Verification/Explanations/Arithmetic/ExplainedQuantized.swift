// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension WrappingAddition: ExplainedBinary {
  func explain(_ left: Element, _ right: Element, _ steps: inout StepList) -> StoredValue {
    let sum = steps.add(
      isSubtraction ? "difference" : "sum", "\(left) \(isSubtraction ? "-" : "+") \(right.operand)",
      integer: isSubtraction ? left &- right : left &+ right)
    return steps.clamp(sum, range)
  }
}

extension WrappingMultiplication: ExplainedBinary {
  func explain(_ left: Element, _ right: Element, _ steps: inout StepList) -> StoredValue {
    let product = steps.add("product", "\(left) × \(right.operand)", integer: left &* right)
    return steps.clamp(product, range)
  }
}

extension IntegerDivision: ExplainedBinary {
  func explain(_ left: Int32, _ right: Int32, _ steps: inout StepList) -> StoredValue {
    let quotient = steps.add(
      "quotient", "\(left) / \(right.operand), towards zero",
      integer: left.dividedReportingOverflow(by: right).partialValue)
    return steps.clamp(quotient, range)
  }
}

extension StepList {
  /// An integer limited to a range; nothing is written down where the range has every number.
  fileprivate mutating func clamp<Element: TensorElement & FixedWidthInteger>(
    _ value: Element, _ range: ActivationRange<Element>
  ) -> StoredValue {
    guard range.lowest != .min || range.highest != .max else { return StoredValue(integer: value) }
    let result = Swift.min(Swift.max(value, range.lowest), range.highest)
    return StoredValue(
      integer: add("clamp", "\(value) to \(range.lowest)...\(range.highest)", integer: result))
  }
}

extension HalvedMultiplication: ExplainedBinary {
  func explain(_ left: Int16, _ right: Int16, _ steps: inout StepList) -> StoredValue {
    let rounded = (Int64(left) * Int64(right) + (1 << 14)) >> 15
    let fraction = steps.add(
      "high product", "round(\(left) × \(right.operand) / 2^15), halves up",
      integer: Int32(Int16(clamping: rounded)))
    let shifted = steps.shift(fraction, by: 8)
    return steps.store(shifted, zeroPoint: zeroPoint, range, as: Output.self)
  }
}

extension QuantizedDivision: ExplainedBinary {
  func explain(_ left: Element, _ right: Element, _ steps: inout StepList) -> StoredValue {
    var dividend = steps.add(
      "dividend", "\(left) - \(leftZeroPoint.operand)", integer: Int32(left) &- leftZeroPoint)
    var divisor = steps.add(
      "divisor", "\(right) - \(rightZeroPoint.operand)", integer: Int32(right) &- rightZeroPoint)
    if divisor < 0 {
      dividend = steps.add("dividend", "-\(dividend.operand)", integer: 0 &- dividend)
      divisor = steps.add("divisor", "-\(divisor.operand)", integer: 0 &- divisor)
    }
    let reciprocal = FixedPoint.reciprocal(divisor)
    steps.add(
      "reciprocal",
      "1 / \(divisor) = \(reciprocal.significand) × 2^(-31 - \(reciprocal.bits)), by three "
        + "Newton steps", integer: reciprocal.significand)
    let headroom = FixedPoint.leadingSignBitCount(dividend)
    let quotient = steps.scale(
      dividend,
      by: FixedPointMultiplier(
        significand: reciprocal.significand, exponent: headroom, rounding: multiplier.rounding),
      "reciprocal × 2^\(headroom)")
    let factor = FixedPointMultiplier(
      significand: multiplier.significand,
      exponent: multiplier.exponent &- reciprocal.bits &- headroom, rounding: multiplier.rounding)
    let scaled = steps.scaleDown(
      quotient, by: factor, "multiplier × 2^-\(reciprocal.bits + headroom)")
    return steps.store(scaled, zeroPoint: outputZeroPoint, range, as: Element.self)
  }
}

extension StepList {
  /// `value` times a factor, as kernels compute it that expect one below 1.
  ///
  /// For larger factors TFLite shifts by a count that wraps; there is no other definition.
  mutating func scaleDown(
    _ value: Int32, by multiplier: FixedPointMultiplier, _ name: String
  ) -> Int32 {
    guard multiplier.exponent > 0 else { return scale(value, by: multiplier, name) }
    return add(
      name,
      "\(value) × \(multiplier.significand) × 2^(\(multiplier.exponent) - 31), "
        + "as for factors below 1", integer: multiplier.scaleDown(value))
  }
}

extension QuantizedComparison: ExplainedBinary {
  func explain(_ left: Element, _ right: Element, _ steps: inout StepList) -> StoredValue {
    let a = steps.scaledDown(Int32(left), self.left, "left")
    let b = steps.scaledDown(Int32(right), self.right, "right")
    let holds = Relation.holds(a, b)
    return StoredValue(
      integer: steps.add(
        "result", "whether the relation holds for \(a) and \(b)", integer: holds ? 1 : 0))
  }
}

extension StepList {
  /// An operand of a comparison in units that both share.
  fileprivate mutating func scaledDown(
    _ code: Int32, _ operand: ScaledOperand, _ name: String
  ) -> Int32 {
    let distance = add(
      "\(name) operand", "(\(code) - \(operand.zeroPoint.operand)) × 2^\(operand.shift)",
      integer: (code &- operand.zeroPoint) << operand.shift)
    return scaleDown(distance, by: operand.multiplier, "\(name) multiplier")
  }
}

extension QuantizedMagnitude: ExplainedUnary {
  func explain(_ value: Element, _ steps: inout StepList) -> StoredValue {
    let distance = steps.add(
      "distance", "\(value) - \(inputZeroPoint.operand)", integer: Int32(value) &- inputZeroPoint)
    let magnitude = steps.add(
      "magnitude", "of \(distance)", integer: distance < 0 ? 0 &- distance : distance)
    let scaled = multiplier.map { steps.scale(magnitude, by: $0) } ?? magnitude
    return steps.store(steps.addZeroPoint(scaled, outputZeroPoint), as: Element.self)
  }
}

extension QuantizedRoot: ExplainedUnary {
  func explain(_ value: Element, _ steps: inout StepList) -> StoredValue {
    let distance = steps.add(
      "distance", "\(value) - \(input.zeroPoint.operand)",
      integer: Int32(value) &- input.zeroPoint)
    let real = steps.add(
      "real value", "\(input.scale) × \(distance)", float: input.scale * Float(distance))
    let root = steps.add("square root", "of \(real)", float: real.squareRoot())
    let quotient = steps.add("quotient", "\(root) / \(output.scale)", float: root / output.scale)
    let cut = steps.add(
      "truncation", "\(quotient) without its fraction", integer: Int32(truncatingOrLeast: quotient))
    return steps.store(steps.addZeroPoint(cut, output.zeroPoint), as: Element.self)
  }
}

extension QuantizedReciprocalRoot: ExplainedUnary {
  func explain(_ value: Int8, _ steps: inout StepList) -> StoredValue {
    let distance = steps.add(
      "distance", "\(value) - \(inputZeroPoint.operand)", integer: Int32(value) &- inputZeroPoint)
    guard distance != 0 else {
      return StoredValue(
        integer: steps.add("stored", "the highest code for zero", integer: Int8.max))
    }
    let root = FixedPoint.inverseSquareRoot(distance, rounding: multiplier.rounding)
    let fraction = steps.scale(
      1,
      by: FixedPointMultiplier(
        significand: root.significand, exponent: root.exponent + 20, rounding: root.rounding),
      "2^20 / √\(distance) by Newton steps")
    let scaled = steps.scale(fraction, by: multiplier)
    return steps.store(steps.addZeroPoint(scaled, outputZeroPoint), as: Int8.self)
  }
}

extension FakeQuantization: ExplainedUnary {
  func explain(_ value: Float, _ steps: inout StepList) -> StoredValue {
    let raised = lowest < value ? value : lowest
    let clamped = steps.add(
      "clamp", "\(value) to \(lowest)...\(highest)", float: raised < highest ? raised : highest)
    let exact = steps.add(
      "quotient", "(\(clamped) - \(lowest.operand)) × \(inverseScale)",
      float: (clamped - lowest) * inverseScale)
    let code = steps.add(
      "rounding", "round(\(exact)), halves away from zero",
      float: exact.rounded(.toNearestOrAwayFromZero))
    return .float(
      steps.add("product", "\(code) × \(scale) + \(lowest.operand)", float: code * scale + lowest))
  }
}

extension IntegerMeanReduction: ExplainedReduction {
  func explain(_ elements: [Element], _ steps: inout StepList) -> StoredValue {
    let sum = steps.add(
      "sum", "of \(elements.count) elements", integer: elements.reduce(Int64(0)) { $0 &+ Int64($1) }
    )
    let mean = count == 0 ? 0 : sum / Int64(count)
    return StoredValue(
      integer: steps.add(
        "mean", "\(sum) / \(count), towards zero", integer: Element(truncatingIfNeeded: mean)))
  }
}

extension QuantizedProductReduction: ExplainedReduction {
  func explain(_ elements: [Element], _ steps: inout StepList) -> StoredValue {
    guard let first = elements.first else { return .integer(0) }
    var product = steps.add(
      "distance", "\(first) - \(inputZeroPoint.operand)",
      integer: Int32(first) &- inputZeroPoint)
    for element in elements.dropFirst() {
      let next = steps.add(
        "product", "\(product) × (\(element) - \(inputZeroPoint.operand))",
        integer: Int64(product) &* Int64(Int32(element) &- inputZeroPoint))
      product = steps.scaleWide(next, by: multiplier)
    }
    let scaled = steps.scaleWide(Int64(product), by: multiplier)
    return steps.store(steps.addZeroPoint(scaled, outputZeroPoint), as: Element.self)
  }
}
