// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let concatenation = CatalogEntry(
    .concatenation, chapter: .layout,
    formula: "y[…, start(n) + i, …] = xₙ[…, i, …],   start(n) = Σ of the lengths of x₀ … xₙ₋₁",
    versions: .upTo(7),
    variants: "f32 i8_q u8_q i16_q i32 i64 bool f16 i4_q u32 bf16",
    optimized: "bf16 bool f16 f32 i16_q i32 i64 i8_q u32 u8_q",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in Concatenation(options: try node.options()) }

  static let pack = CatalogEntry(
    .pack, chapter: .layout, formula: "y[…, n, …] = xₙ[…]", versions: .upTo(5),
    variants: "f32 i8 u8 i16 i32 i64 u32", optimized: "f32 i16 i32 i64 i8 u32 u8",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in Pack(options: try node.options()) }
}

/// `CONCATENATION`: tensors joined along an axis.
///
/// Shapes must agree in all other axes. int8 inputs must have the output's quantization, int16
/// ones zero points of 0; uint8 inputs are rescaled where theirs differs, see
/// `RescalingConcatenationKernel`. Scalars are joined to a vector, their quantized values as they
/// are. TFLite: `concatenation.cc`, `reference/concatenation.h`.
struct Concatenation: Operator {
  let options: ConcatenationOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...Int.max)
    guard options.fusedActivation == .none else {
      throw .unsupported("fused activation \(options.fusedActivation)")
    }
    let output = try node.declaredOutput()
    let first = try node.input(0)
    try output.expect(first.elementType, .output(0))
    let joined = try JoinedAxis(node, axis: Int(options.axis))
    try expectQuantization(node, output)
    let type = first.moved(to: joined.shape, declared: output)
    if first.elementType == .uint8, first.shape.rank > 0,
      let tables = try rescalingTables(node, output)
    {
      return Prepared(type, RescalingConcatenationKernel(joined, tables: tables))
    }
    return try BoxCopies([joined.boxes]).prepared(node, outputs: [type])
  }

  private func expectQuantization(
    _ node: PrepareContext, _ output: TensorType
  ) throws(KernelError) {
    for position in node.inputs.indices {
      let input = try node.input(position)
      if input.elementType == .int8 { try output.expectSameScale(as: input, .input(position)) }
      if input.elementType == .int16 {
        guard input.quantization?.perTensor?.zeroPoint ?? 0 == 0 else {
          throw .invalid("int16 zero point must be 0", .input(position))
        }
      }
    }
    if output.elementType == .int16, output.quantization?.perTensor?.zeroPoint ?? 0 != 0 {
      throw .invalid("int16 zero point must be 0", .output(0))
    }
  }

  /// For each input the table of its values in the output's quantization, or nil where they stay
  /// as they are; nil altogether where all inputs stay as they are.
  private func rescalingTables(
    _ node: PrepareContext, _ output: TensorType
  ) throws(KernelError) -> [RescalingTable?]? {
    let none = Affine(scale: 0, zeroPoint: 0)
    let target = output.quantization?.perTensor
    var tables: [RescalingTable?] = []
    for position in node.inputs.indices {
      let source = try node.input(position).quantization?.perTensor
      tables.append(
        source == target ? nil : RescalingTable(from: source ?? none, to: target ?? none))
    }
    return tables.allSatisfy { $0 == nil } ? nil : tables
  }
}

/// `PACK`: tensors of one shape joined along an axis of their own.
///
/// TFLite: `pack.cc`.
struct Pack: Operator {
  let options: PackOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let count = node.inputs.count
    guard count > 0, count == Int(options.valuesCount) else {
      throw .invalid("\(count) inputs, wanted \(options.valuesCount)")
    }
    try node.expect(inputs: count...count)
    let (first, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(first.elementType, .output(0))
    for position in 0..<count {
      let input = try node.input(position)
      try input.expect(first.elementType, .input(position))
      guard input.shape == first.shape else {
        throw .invalid("shape \(input.shape) beside \(first.shape)", .input(position))
      }
      try output.expectSameScale(as: input, .input(position))
    }
    let grown = try Shape.checked(first.shape.dimensions + [count])
    let axis = try grown.axis(Int(options.axis), .output(0))
    var dimensions = first.shape.dimensions
    dimensions.insert(count, at: axis)
    let shape = try Shape.checked(dimensions)
    let inner = first.shape.dimensions[axis...].reduce(1, *)
    let boxes = (0..<count).map { position in
      BoxCopy(
        input: position, to: position * inner,
        [
          .init(first.shape.dimensions[..<axis].reduce(1, *), input: inner, output: count * inner),
          .init(inner, input: 1, output: 1),
        ])
    }
    return try BoxCopies([boxes]).prepared(
      node, outputs: [first.moved(to: shape, declared: output)])
  }
}

/// Tensors joined along an axis, seen as rows: `outerCount` rows, each made of one run per input.
package struct JoinedAxis: Sendable {
  /// The shape of the whole.
  package let shape: Shape
  /// Rows of the output: the product of the lengths outside of the axis.
  package let outerCount: Int
  /// Elements that each input contributes to a row.
  package let runs: [Int]

  init(_ node: PrepareContext, axis: Int) throws(KernelError) {
    let first = try node.input(0)
    var dimensions = first.shape.dimensions.isEmpty ? [1] : first.shape.dimensions
    let axis = try Shape.checked(dimensions).axis(axis)
    let inner = dimensions[(axis + 1)...].reduce(1, *)
    var (total, runs) = (0, [Int]())
    for position in node.inputs.indices {
      let input = try node.input(position)
      try input.expect(first.elementType, .input(position))
      var own = input.shape.dimensions.isEmpty ? [1] : input.shape.dimensions
      guard input.shape.rank == first.shape.rank else {
        throw .rank(input.shape.rank, wanted: "\(first.shape.rank)", .input(position))
      }
      total = try total.plus(own[axis])
      runs.append(own[axis] * inner)
      own[axis] = dimensions[axis]
      guard own == dimensions else {
        throw .invalid("shape \(input.shape) beside \(first.shape)", .input(position))
      }
    }
    dimensions[axis] = total
    shape = try Shape.checked(dimensions)
    outerCount = dimensions[..<axis].reduce(1, *)
    self.runs = runs
  }

  /// The copies of the inputs.
  var boxes: [BoxCopy] {
    let row = runs.reduce(0, +)
    var (boxes, start) = ([BoxCopy](), 0)
    for (position, run) in runs.enumerated() {
      boxes.append(
        BoxCopy(
          input: position, to: start,
          [.init(outerCount, input: run, output: row), .init(run, input: 1, output: 1)]))
      start += run
    }
    return boxes
  }
}

/// The concatenation of uint8 tensors of different quantization.
package final class RescalingConcatenationKernel: SteppedKernel {
  /// The rows that are put together.
  package let joined: JoinedAxis
  /// For each input the table of its values; nil where they stay as they are.
  package let tables: [RescalingTable?]

  /// The rows of `joined`, with values replaced by those of `tables`.
  package init(_ joined: JoinedAxis, tables: [RescalingTable?]) {
    self.joined = joined
    self.tables = tables
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    var output = frame.output(0, as: UInt8.self)
    guard !output.isEmpty else { return }
    let row = joined.runs.reduce(0, +)
    var start = 0
    for (position, run) in joined.runs.enumerated() {
      let input = frame.input(position, as: UInt8.self)
      for outer in 0..<joined.outerCount {
        for offset in 0..<run {
          steps.about(outer * row + start + offset)
          let value = steps.read(input, outer * run + offset)
          output[outer * row + start + offset] =
            tables[position]?.apply(value, &steps)
            ?? steps.note("moved", "the value as it is: both quantizations are equal", value)
        }
      }
      start += run
    }
  }
}

/// The uint8 values of one quantization in another.
///
///     q' = round(q · s + b) + z_y,   s = s_x · (1 / s_y),   b = −z_x · s
///
/// in float32, rounded half away from zero.
package struct RescalingTable: Sendable {
  /// The results by value.
  package let values: [UInt8]
  private let source: Affine
  private let target: Affine

  /// The table of the values of `source` in `target`.
  package init(from source: Affine, to target: Affine) {
    self.source = source
    self.target = target
    values = (0..<256).map { value in
      var steps = NoSteps()
      return Self.entry(of: UInt8(truncatingIfNeeded: value), source, target, &steps)
    }
  }

  /// The result for one value.
  @inline(__always)
  package func apply(_ value: UInt8, _ steps: inout some Steps) -> UInt8 {
    steps.precomputed(values[Int(value)]) { Self.entry(of: value, source, target, &$0) }
  }

  private static func entry(
    of value: UInt8, _ source: Affine, _ target: Affine, _ steps: inout some Steps
  ) -> UInt8 {
    let factor = steps.note(
      "factor", "\(source.scale) / \(target.scale)", source.scale * (1 / target.scale))
    let bias = steps.note(
      "bias", "-\(source.zeroPoint.operand) × \(factor)",
      Float(-Double(source.zeroPoint)) * factor)
    let exact = steps.note(
      "product", "\(value) × \(factor) + \(bias.operand)", Float(value) * factor + bias)
    let rounded = steps.rounded(exact)
    // Scales so far apart that the quotient leaves the range only damaged models have.
    let shifted = steps.note(
      "zero point", "\(rounded) + \(target.zeroPoint.operand)",
      Double(rounded) + Double(target.zeroPoint))
    return steps.note(
      "clamp", "\(shifted) to 0...255", shifted > 0 ? UInt8(min(shifted, 255)) : 0)
  }
}
