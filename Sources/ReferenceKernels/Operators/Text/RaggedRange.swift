// SPDX-License-Identifier: Apache-2.0

package import Tensors

extension CatalogEntry {
  static let raggedRange = CatalogEntry(
    custom: "RaggedRange", chapter: .text,
    formula: "y₁[y₀[r] + i] = start[r] + i · delta[r],   below limit[r]",
    variants: "f32 i32 i64 f64", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in RaggedRange() }
}

/// `RaggedRange`: rows of numbers, each from a start to a limit.
///
/// - Inputs 0 to 2: starts, limits and steps: vectors of one length, or one number for all rows.
/// - Output 0: where each row begins, with the end of the last one, int32 or int64.
/// - Output 1: the numbers of all rows, of the inputs' type.
///
/// A row whose limit lies the other way is empty; a step of 0 is an error. Each number is the sum
/// of the one before and the step. TensorFlow Lite Support: `ragged_range_tflite.cc`.
struct RaggedRange: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3, outputs: 2)
    let type = try node.input(0).elementType
    for position in 1..<3 { try node.input(position).expect(type, .input(position)) }
    try node.declaredOutput(1).expect(type, .output(1))
    switch type {
    case .int32: return try prepared(node, of: Int32.self)
    case .int64: return try prepared(node, of: Int64.self)
    case .float32: return try prepared(node, of: Float.self)
    case .float64: return try prepared(node, of: Double.self)
    default: throw .elementType(type, .input(0))
    }
  }

  private func prepared<Number: RangeNumber>(
    _ node: PrepareContext, of type: Number.Type
  ) throws(KernelError) -> Prepared {
    var operands: [[Number]] = []
    for position in 0..<3 { operands.append(try node.values(position, as: Number.self)) }
    let counts = Set(operands.map(\.count)).subtracting([1])
    guard counts.count < 2 else {
      throw .invalid("starts, limits and steps of \(operands.map(\.count)) rows")
    }
    let rowCount = counts.first ?? 1
    var splits = [0]
    for row in 0..<rowCount {
      func number(_ position: Int) -> Number {
        operands[position][operands[position].count == 1 ? 0 : row]
      }
      guard let count = Number.count(from: number(0), to: number(1), by: number(2)) else {
        throw .invalid("no row from \(number(0)) to \(number(1)) by \(number(2))", .input(2))
      }
      splits.append(try (splits.last ?? 0).plus(count))
    }
    let types = [
      try node.declaredOutput(0).with(shape: try Shape.checked([splits.count])),
      TensorType(Number.elementType, try Shape.checked([splits.last ?? 0], .output(1))),
    ]
    let known = try KnownOutput.integers(
      splits, [.int32, .int64], node, at: 0, "split", "numbers of the rows before")
    var prepared = Prepared(
      outputs: types,
      kernel: LoopKernel(
        RaggedRangeLoop<Number>(splits: splits, known: KnownOutputsLoop(outputs: [known]))))
    prepared.heldByteCount = 16 * splits.count
    return prepared
  }
}

/// A number that rows of numbers consist of.
package protocol RangeNumber: TensorElement {
  /// How many numbers there are from `start` on below `limit`; nil where that is no count.
  static func count(from start: Self, to limit: Self, by step: Self) -> Int?
  /// The sum; that of integers is modulo their range.
  func following(_ step: Self) -> Self
}

extension RangeNumber where Self: FixedWidthInteger & SignedInteger {
  package static func count(from start: Self, to limit: Self, by step: Self) -> Int? {
    guard step != 0 else { return nil }
    guard step > 0 ? start < limit : start > limit else { return 0 }
    let (lower, upper) = step > 0 ? (start, limit) : (limit, start)
    let distance = UInt64(bitPattern: Int64(upper) &- Int64(lower))
    let (quotient, remainder) = distance.quotientAndRemainder(dividingBy: UInt64(step.magnitude))
    return Int(exactly: quotient + (remainder > 0 ? 1 : 0))
  }

  package func following(_ step: Self) -> Self { self &+ step }
}

extension RangeNumber where Self: BinaryFloatingPoint {
  package static func count(from start: Self, to limit: Self, by step: Self) -> Int? {
    if step == 0 { return nil }
    if (step > 0 && limit < start) || (step < 0 && limit > start) { return 0 }
    return Int(exactly: abs((limit - start) / step).rounded(.up))
  }

  package func following(_ step: Self) -> Self { self + step }
}

extension Int32: RangeNumber {}
extension Int64: RangeNumber {}
extension Float: RangeNumber {}
extension Double: RangeNumber {}

/// The loop of `RaggedRange`.
package struct RaggedRangeLoop<Number: RangeNumber>: SteppedLoop {
  /// Where each row begins, and the end of the last one.
  let splits: [Int]
  let known: KnownOutputsLoop

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    try known.evaluate(frame, &steps)
    let starts = frame.input(0, as: Number.self)
    let increments = frame.input(2, as: Number.self)
    var output = frame.output(1, as: Number.self)
    for row in 0..<splits.count - 1 {
      try frame.checkProgress()
      let start = starts.count == 1 ? 0 : row
      let increment = increments.count == 1 ? 0 : row
      var value = starts[start]
      for index in splits[row]..<splits[row + 1] {
        steps.about(index, ofOutputs: 1...1)
        steps.read(starts, start)
        steps.read(increments, increment)
        output[index] = steps.note("number", "the one before and the step", element: value)
        value = value.following(increments[increment])
      }
    }
  }
}
