// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let shape = CatalogEntry(
    .shape, chapter: .layout, formula: "y = [n₀, n₁, …],   nₖ the length of axis k of x",
    versions: .upTo(1),
    variants: "i32 i64", optimized: "",
    work: .nothing, reads: .nothing
  ) { node throws(KernelError) in ShapeOf(options: try node.options()) }

  static let rank = CatalogEntry(
    .rank, chapter: .layout, formula: "y = the number of axes of x", versions: .upTo(1),
    variants: "f32 i8 i64 bool", optimized: "",
    work: .nothing, reads: .nothing
  ) { _ throws(KernelError) in RankOf() }
}

/// `SHAPE`: the input's dimensions as int32 or int64 numbers.
///
/// TFLite: `shape.cc`.
struct ShapeOf: Operator {
  let options: ShapeOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let dimensions = try node.input(0).shape.dimensions
    let output = TensorType(
      options.outputType, try Shape.checked([dimensions.count]),
      quantization: try node.declaredOutput().quantization)
    switch options.outputType {
    case .int32: return .known(output, LengthsLoop<Int32>(dimensions: dimensions))
    case .int64: return .known(output, LengthsLoop<Int64>(dimensions: dimensions))
    case let other: throw .elementType(other, .output(0))
    }
  }
}

/// `RANK`: how many axes the input has, an int32 scalar.
///
/// TFLite: `rank.cc`.
struct RankOf: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let rank = try node.input(0).shape.rank
    let quantization = try node.declaredOutput().quantization
    return .known(TensorType(.int32, .scalar, quantization: quantization), RankLoop(rank: rank))
  }
}

extension Prepared {
  /// A loop that looks at the types of the inputs alone.
  fileprivate static func known(_ output: TensorType, _ loop: some KernelLoop) -> Prepared {
    Prepared(outputs: [output], kernel: LoopKernel(loop), dependsOnTypesOnly: true)
  }
}

/// The loop of `SHAPE`.
package struct LengthsLoop<Element: TensorElement & FixedWidthInteger>: SteppedLoop {
  let dimensions: [Int]

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    var output = frame.output(0, as: Element.self)
    for axis in output.indices {
      steps.about(axis)
      output[axis] = steps.note(
        "length", "of axis \(axis) of input 0, whose lengths are \(dimensions)",
        Element(clamping: dimensions[axis]))
    }
  }
}

/// The number of `RANK`.
package struct RankLoop: SteppedLoop {
  let rank: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    var output = frame.output(0, as: Int32.self)
    output[0] = steps.note("rank", "axes of input 0", Int32(rank))
  }
}
