// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let densify = CatalogEntry(
    .densify, chapter: .quantization, formula: nil, versions: .upTo(1),
    variants: "f32 f16 i8", optimized: "",
    work: .nothing, reads: .everything
  ) { _ in Densify() }
}

/// `DENSIFY`: all elements of a constant of which the model stores only some.
///
/// The others are zero bits. TFLite: `densify.cc`, `reference/densify.h`; see `SparseLayout`.
struct Densify: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    guard let operand = node.inputs[0], let sparsity = operand.sparsity, let bytes = operand.bytes
    else { throw .invalid("is no sparse constant", .input(0)) }
    let size: Int
    switch input.elementType {
    case .int8: size = 1
    case .float16: size = 2
    case .float32: size = 4
    case let other: throw .elementType(other, .input(0))
    }
    let layout = try SparseLayout(
      sparsity, shape: input.shape, storedCount: bytes.byteCount / size)
    let kernel: any Kernel =
      switch size {
      case 1: LoopKernel(DensifyLoop<UInt8>(layout: layout))
      case 2: LoopKernel(DensifyLoop<UInt16>(layout: layout))
      default: LoopKernel(DensifyLoop<UInt32>(layout: layout))
      }
    return Prepared(input, kernel)
  }
}

/// The loop that puts stored values into their positions.
package struct DensifyLoop<Element>: KernelLoop
where Element: TensorElement & ExpressibleByIntegerLiteral {
  /// Where the stored values belong.
  package let layout: SparseLayout

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let stored = frame.input(0, as: Element.self)
    var dense = frame.output(0, as: Element.self)
    layout.expand(stored, to: &dense)
  }
}
