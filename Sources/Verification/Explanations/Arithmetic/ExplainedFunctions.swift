// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension Requantization: ExplainedUnary {
  func explain(_ value: Input, _ steps: inout StepList) -> StoredValue {
    let distance = steps.add(
      "distance", "\(value) - \(inputZeroPoint.operand)",
      integer: Int32(truncatingIfNeeded: value) &- inputZeroPoint)
    let scaled = steps.scale(distance, by: multiplier)
    return steps.store(scaled, zeroPoint: outputZeroPoint, range, as: Output.self)
  }
}

extension Clamp: ExplainedUnary {
  func explain(_ value: Float, _ steps: inout StepList) -> StoredValue {
    let result = steps.clamp(value, interval)
    if steps.steps.isEmpty { steps.add("result", "\(value) as it is", .float(result)) }
    return .float(result)
  }
}

extension FloatLeakyRelu: ExplainedUnary {
  func explain(_ value: Float, _ steps: inout StepList) -> StoredValue {
    guard value > 0 else {
      return .float(
        steps.add(
          "product", "\(value) × \(alpha.operand), not being positive", float: value * alpha))
    }
    return .float(steps.add("result", "\(value) as it is, being positive", float: value))
  }
}

extension QuantizedLeakyRelu: ExplainedUnary {
  func explain(_ value: Element, _ steps: inout StepList) -> StoredValue {
    let distance = steps.add(
      "distance", "\(value) - \(inputZeroPoint.operand)", integer: Int32(value) &- inputZeroPoint)
    var scaled: Int32
    if distance >= 0 {
      scaled = steps.scale(distance, by: positive, "positive multiplier")
    } else {
      scaled = steps.scale(distance, by: negative, "negative multiplier")
      if negates { scaled = steps.add("sign", "-\(scaled.operand)", integer: 0 &- scaled) }
    }
    return steps.store(steps.addZeroPoint(scaled, outputZeroPoint), as: Element.self)
  }
}

extension QuantizedHardSwish: ExplainedUnary {
  func explain(_ value: Element, _ steps: inout StepList) -> StoredValue {
    let operand = steps.add(
      "operand", "(\(value) - \(inputZeroPoint.operand)) × 2^7, at 16 bits",
      integer: Int16(truncatingIfNeeded: (Int32(value) &- inputZeroPoint) &* 128))
    let scaled = steps.high(operand, outputMultiplier, "scaled operand")
    let place = explainGate(operand, &steps)
    let gate = steps.add(
      "gate", "floor((\(place) + 32768) / 2)",
      integer: Int16(truncatingIfNeeded: (Int32(place) + 32768) >> 1))
    let product = steps.add(
      "product", "\(gate) × \(scaled.operand) / 2^15, towards zero",
      integer: Int16(truncatingIfNeeded: Int32(gate) * Int32(scaled) / (1 << 15)))
    let shifted = steps.add(
      "shift", "round(\(product) / 2^\(outputShift)), halves away from zero",
      integer: FixedPoint.roundingShift(product, by: outputShift))
    let code = steps.add(
      "zero point", "\(shifted) + \(outputZeroPoint.operand)",
      integer: Int32(Int16(truncatingIfNeeded: Int32(shifted) &+ outputZeroPoint)))
    return steps.store(code, as: Element.self)
  }

  /// The operand in units of 3/32768, saturated at −3 and 3.
  private func explainGate(_ operand: Int16, _ steps: inout StepList) -> Int16 {
    var place = operand
    if gateExponent > 0 {
      place = steps.add(
        "gate shift", "\(place) × 2^\(gateExponent - 1), saturated",
        integer: FixedPoint.saturatingShift(place, by: gateExponent - 1))
    }
    place = steps.high(place, gateMultiplier, "gate product")
    guard gateExponent > 0 else {
      return steps.add(
        "gate place", "round(\(place) / 2^\(-gateExponent)), halves away from zero",
        integer: FixedPoint.roundingShift(place, by: -gateExponent))
    }
    return steps.add(
      "gate place", "\(place) × 2, saturated", integer: FixedPoint.saturatingShift(place, by: 1))
  }
}

extension StepList {
  /// The high 16 bits of `2ab`, halves rounded up.
  mutating func high(_ a: Int16, _ b: Int16, _ name: String) -> Int16 {
    let rounded = (Int64(a) * Int64(b) + (1 << 14)) >> 15
    return add(
      name, "round(\(a) × \(b.operand) / 2^15), halves up", integer: Int16(clamping: rounded))
  }
}
