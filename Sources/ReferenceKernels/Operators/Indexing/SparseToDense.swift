// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let sparseToDense = CatalogEntry(
    .sparseToDense, chapter: .indexing,
    formula: "y[indices[j, 0], indices[j, 1], …] = values[j],   elsewhere the default",
    versions: .upTo(3),
    variants: "f32 i32 i64 i8 u8", optimized: "",
    work: .nothing, reads: .everything
  ) { _ in SparseToDense() }
}

/// `SPARSE_TO_DENSE`: a tensor of one value, with other values at some locations.
///
/// - Input 0: the positions, int32 or int64: a row of coordinates each, or one index each of a
///   vector.
/// - Input 1: the output's shape, of rank 4 at most.
/// - Input 2: the values, one for each position or a scalar for all. Later ones replace earlier
///   ones.
/// - Input 3: the default, one element.
///
/// Whether the indices are promised to be sorted does not matter.
/// TFLite: `sparse_to_dense.cc`, `SparseToDense` (`reference_ops.h`).
struct SparseToDense: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 4...4)
    let (indices, values) = (try node.input(0), try node.input(2))
    guard try node.input(1).shape.rank == 1 else {
      throw .rank(try node.input(1).shape.rank, wanted: "1", .input(1))
    }
    let shape = try outputShape(node)
    guard indices.shape.rank <= 2 else {
      throw .rank(indices.shape.rank, wanted: "at most 2", .input(0))
    }
    let count = indices.shape.rank == 0 ? 1 : indices.shape[0]
    let depth = indices.shape.rank == 2 ? indices.shape[1] : 1
    guard depth == shape.rank else {
      throw .invalid("\(depth) coordinates for \(shape.rank) axes", .input(0))
    }
    guard values.shape.rank == 0 || values.shape.dimensions == [count] else {
      throw .invalid("shape \(values.shape) for \(count) locations", .input(2))
    }
    try node.input(3).expect(values.elementType, .input(3))
    guard try node.input(3).shape.elementCount == 1 else {
      throw .invalid("shape \(try node.input(3).shape), wanted one element", .input(3))
    }
    try expectNumber(values.elementType)
    let locations = IndexedSlices(
      of: shape, indices: try Shape.checked([count, depth], .input(0)), depth: depth)
    let output = values.moved(to: shape, declared: try node.declaredOutput())
    let isScalar = values.shape.rank == 0
    return try Placement(
      locations: locations, isScalar: isScalar, indexType: try IndexType(indices, .input(0))
    ).prepared(node, outputs: [output])
  }

  private func outputShape(_ node: PrepareContext) throws(KernelError) -> Shape {
    let type = try node.input(1).elementType
    guard type == .int32 || type == .int64 else { throw .elementType(type, .input(1)) }
    let shape = try Shape.checked(try node.integers(1))
    guard shape.rank <= 4 else { throw .rank(shape.rank, wanted: "at most 4", .output(0)) }
    return shape
  }

  private func expectNumber(_ type: ElementType) throws(KernelError) {
    switch type {
    case .float32, .int32, .int64, .int8, .uint8: return
    case let other: throw .elementType(other, .input(2))
    }
  }
}

private struct Placement: Movement {
  let locations: IndexedSlices
  let isScalar: Bool
  let indexType: IndexType

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(
      SparseToDenseLoop<Unit>(locations: locations, isScalar: isScalar, indexType: indexType))
  }
}

/// The loop of `SPARSE_TO_DENSE` for elements as wide as `Unit`.
package struct SparseToDenseLoop<Unit: TensorElement>: KernelLoop {
  /// The positions, slices of one element.
  package let locations: IndexedSlices
  /// Whether all positions get the same value.
  package let isScalar: Bool
  /// What the coordinates are.
  package let indexType: IndexType

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let indices = Indices(frame, 0, indexType)
    let values = frame.input(2, as: Unit.self)
    let background = frame.input(3, as: Unit.self)
    var output = frame.output(0, as: Unit.self)
    for index in output.indices { output[index] = background[0] }
    for position in 0..<locations.count {
      output[try locations.start(position, indices, .input(0))] = values[isScalar ? 0 : position]
    }
  }
}
