// SPDX-License-Identifier: Apache-2.0

import ModelFormat
package import Tensors

extension CatalogEntry {
  /// `SHAPE`.
  static let shape = CatalogEntry(
    .shape, chapter: .layout, formula: "y = [n₀, n₁, …],   nₖ the length of axis k of x",
    versions: .upTo(1),
    variants: "i32 i64", optimized: "",
    work: .nothing, reads: .nothing
  ) { node throws(KernelError) in ShapeOf(options: try node.options()) }

  /// `RANK`.
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
    case .int32: return .numbers(output, dimensions.map { Int32(clamping: $0) })
    case .int64: return .numbers(output, dimensions.map { Int64($0) })
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
    return .numbers(TensorType(.int32, .scalar, quantization: quantization), [Int32(rank)])
  }
}

extension Prepared {
  /// Numbers that follow from the types of the inputs.
  fileprivate static func numbers<Element: TensorElement>(
    _ output: TensorType, _ values: [Element]
  ) -> Prepared {
    Prepared(outputs: [output], kernel: ConstantKernel(values), dependsOnTypesOnly: true)
  }
}

/// Writes elements that were known when the node was prepared.
package struct ConstantLoop<Element: TensorElement>: KernelLoop {
  /// The output's elements.
  package let values: [Element]

  /// The kernel that writes `values`.
  package init(_ values: [Element]) { self.values = values }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    var output = frame.output(0, as: Element.self)
    for index in output.indices { output[index] = values[index] }
  }
}

/// The kernel of `ConstantLoop`.
package typealias ConstantKernel<Element: TensorElement> = LoopKernel<ConstantLoop<Element>>

extension LoopKernel {
  /// The kernel that writes `values`.
  package convenience init<Element: TensorElement>(_ values: [Element])
  where Loop == ConstantLoop<Element> {
    self.init(ConstantLoop(values))
  }
}
