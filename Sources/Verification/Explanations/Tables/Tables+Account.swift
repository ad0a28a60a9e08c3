// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension ByteTable: ExplainedUnary {
  func explain(_ value: Element, _ steps: inout StepList) -> StoredValue {
    steps.add(
      "table entry", "of 256, one for each code; \(value) as an unsigned byte",
      .integer(Int(UInt8(truncatingIfNeeded: value))))
    let distance = steps.add(
      "distance", "\(value) - \(input.zeroPoint.operand)",
      integer: Int32(value) &- input.zeroPoint)
    let real = steps.add(
      "real value", "\(input.scale) × \(distance.operand)", float: input.scale * Float(distance))
    let result = steps.add("function", "f(\(real))", float: function(real))
    let inverse = steps.add("reciprocal", "1 / \(output.scale)", float: 1 / output.scale)
    let exact = steps.add(
      "quotient", "\(result) × \(inverse)", float: result * inverse)
    let rounded = steps.add(
      "rounding", "round(\(exact)), halves away from zero",
      float: exact.rounded(.toNearestOrAwayFromZero))
    let code = steps.add(
      "zero point", "\(rounded) + \(output.zeroPoint.operand)",
      float: rounded + Float(output.zeroPoint))
    guard !code.isNaN else {
      return StoredValue(
        integer: steps.add("stored", "what is no number becomes the code 0", integer: Element(0)))
    }
    return StoredValue(
      integer: steps.add(
        "stored", "\(code) to \(Element.min)...\(Element.max)",
        integer: Element(max(Float(Element.min), min(Float(Element.max), code)))))
  }
}

extension InterpolatedTable: ExplainedUnary {
  func explain(_ value: Int16, _ steps: inout StepList) -> StoredValue {
    let entry = steps.add(
      "table entry", "floor(\(value) / 128) + 256, of 513",
      integer: Int((Double(value) / 128).rounded(.down)) + 256)
    let rest = steps.add(
      "rest", "\(value) - 128 × (\(entry) - 256)", integer: Int(value) - 128 * (entry - 256))
    let base = explain(entry: entry, "lower value", &steps)
    let next = explain(entry: entry + 1, "upper value", &steps)
    // Differences wrap at 16 bits.
    let slope = Int(Int16(truncatingIfNeeded: next - base))
    let rise = steps.add(
      "interpolation", "floor((\(slope.operand) × \(rest) + 64) / 128)",
      integer: (slope * rest + 64) >> 7)
    let result = steps.add(
      "stored", "\(base) + \(rise.operand)", integer: Int16(truncatingIfNeeded: base + rise))
    return StoredValue(result)
  }

  /// An entry of the table, from the function's values around it.
  private func explain(entry index: Int, _ name: String, _ steps: inout StepList) -> Int {
    let entry = entry(index)
    steps.add("sample", "round(f(\(entry.start)) / output scale)", .double(entry.sample))
    if index < values.count - 1 {
      steps.add(
        "correction",
        "(round((\(entry.sample) + \(entry.next.operand)) / 2) - \(entry.middle.operand)) / 2, "
          + "rounded: half the error in the middle", .double(entry.correction))
    }
    let exact = entry.sample - entry.correction
    let text = "entry \(index): \(entry.sample) - \(entry.correction.operand) as Int16"
    return steps.add(name, text, integer: exact.isNaN ? 0 : Int(max(-32768, min(32767, exact))))
  }
}

extension NonNegativeTable: ExplainedUnary {
  func explain(_ value: Int16, _ steps: inout StepList) -> StoredValue {
    table.explain(value, &steps)
  }
}

extension StepList {
  /// The logistic function of an int16 operand's magnitude, by the table of 256 values.
  fileprivate mutating func sigmoid(
    of value: Int16, _ table: SigmoidTable, fractionBits: UInt32
  ) -> (operand: Int32, result: Int32) {
    let product = add(
      "product", "\(value) × \(table.multiplier)", integer: Int32(value) &* table.multiplier)
    let half = table.shift > 0 ? Int64(1) << Int64(table.shift - 1) : 0
    let operand = add(
      "operand", "round(\(product) / 2^\(table.shift)), halves up, in units of 1/12288",
      integer: Int32(truncatingIfNeeded: (Int64(product) + half) >> Int64(table.shift)))
    let (entry, bits) = (operand.magnitude >> fractionBits, fractionBits)
    guard let result = SigmoidTable.value(operand.magnitude, fractionBits: fractionBits) else {
      let last = bits == 9 ? Int32(0x7FFF) << 10 : Int32(0xFFFF) << 8
      return (operand, add("table value", "beyond the last entry", integer: last))
    }
    let rest = operand.magnitude & ((1 << bits) - 1)
    return (
      operand,
      add(
        "table value", "of entry \(entry) and the next one, \(rest) / 2^\(bits) of the way",
        integer: result)
    )
  }
}

extension WideLogistic: ExplainedUnary {
  func explain(_ value: Int16, _ steps: inout StepList) -> StoredValue {
    let (operand, result) = steps.sigmoid(of: value, table, fractionBits: 9)
    let signed = steps.add(
      "nudge", operand >= 0 ? "\(result) + 512" : "2^25 - \(result) + 511",
      integer: operand >= 0 ? result + 512 : (1 << 25) - result + 511)
    return StoredValue(
      integer: steps.add(
        "stored", "floor(\(signed) / 2^10)", integer: Int16(truncatingIfNeeded: signed >> 10)))
  }
}

extension WideTangent: ExplainedUnary {
  func explain(_ value: Int16, _ steps: inout StepList) -> StoredValue {
    let (operand, result) = steps.sigmoid(of: value, table, fractionBits: 8)
    let signed = steps.add(
      "nudge", operand >= 0 ? "\(result) - 2^23 + 128" : "2^23 - \(result) + 127",
      integer: operand >= 0 ? result - (1 << 23) + 128 : (1 << 23) - result + 127)
    return StoredValue(
      integer: steps.add(
        "stored", "floor(\(signed) / 2^8)", integer: Int16(truncatingIfNeeded: signed >> 8)))
  }
}
