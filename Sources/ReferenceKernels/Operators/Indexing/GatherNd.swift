// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let gatherNd = CatalogEntry(
    .gatherND, chapter: .indexing, formula: "y[j…, i…] = x[indices[j…, 0], indices[j…, 1], …, i…]",
    versions: .upTo(6),
    variants: "f32 i8 u8 i16 i32 i64 bool str f16", optimized: "",
    work: .nothing, reads: .selection(of: 0)
  ) { _ throws(KernelError) in GatherNd() }
}

/// `GATHER_ND`: slices of a tensor, chosen by vectors of indices along its leading axes.
///
/// - Input 0: the slices, of rank 1 at least.
/// - Input 1: the indices, int16, int32 or int64; the innermost axis holds a vector. None may be
///   negative.
///
/// TFLite: `gather_nd.cc`.
struct GatherNd: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, indices) = (try node.input(0), try node.input(1))
    guard input.shape.rank >= 1 else { throw .rank(0, wanted: "at least 1", .input(0)) }
    guard let depth = indices.shape.dimensions.last else {
      throw .rank(0, wanted: "at least 1", .input(1))
    }
    guard depth <= input.shape.rank else {
      throw .invalid("\(depth) indices for \(input.shape.rank) axes", .input(1))
    }
    guard input.shape.elementCount > 0 || indices.shape.elementCount == 0 else {
      throw .invalid("indices into a tensor without elements", .input(1))
    }
    let slices = IndexedSlices(of: input.shape, indices: indices.shape, depth: depth)
    let output = input.moved(
      to: try Shape.checked(
        Array(indices.shape.dimensions.dropLast() + input.shape.dimensions[depth...])),
      declared: try node.declaredOutput())
    let indexType = try IndexType(indices, orInt16: true, .input(1))
    return try SliceGathering(slices: slices, indexType: indexType)
      .prepared(node, outputs: [output])
  }
}

/// Slices of a tensor behind vectors of indices: what `GATHER_ND` reads and `SCATTER_ND` writes.
package struct IndexedSlices: Sendable, Hashable {
  /// Vectors of indices.
  package let count: Int
  /// The lengths of the axes that a vector indexes.
  package let lengths: [Int]
  /// How far apart neighbors along those axes lie.
  package let strides: [Int]
  /// Elements in a slice.
  package let sliceLength: Int

  init(of shape: Shape, indices: Shape, depth: Int) {
    count = indices.dimensions.dropLast().reduce(1, *)
    lengths = Array(shape.dimensions[..<depth])
    strides = Array(shape.strides[..<depth])
    sliceLength = shape.dimensions[depth...].reduce(1, *)
  }

  /// Where the slice of vector `position` begins.
  ///
  /// - Throws: `KernelError` where an index lies outside of its axis.
  func start(
    _ position: Int, _ indices: Indices, _ tensor: KernelError.Tensor
  ) throws(KernelError) -> Int {
    var start = 0
    for axis in lengths.indices {
      let index = indices[position * lengths.count + axis]
      guard index >= 0, index < lengths[axis] else {
        throw .invalid("index \(index) along axis \(axis) of length \(lengths[axis])", tensor)
      }
      start += index * strides[axis]
    }
    return start
  }
}

private struct SliceGathering: Movement {
  let slices: IndexedSlices
  let indexType: IndexType

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(GatherNdLoop<Unit>(slices: slices, indexType: indexType))
  }
}

/// The loop of `GATHER_ND` for elements as wide as `Unit`.
package struct GatherNdLoop<Unit: TensorElement>: KernelLoop {
  /// The slices to choose from.
  package let slices: IndexedSlices
  /// What the indices are.
  package let indexType: IndexType

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    let indices = Indices(frame, 1, indexType)
    var output = frame.output(0, as: Unit.self)
    guard !output.isEmpty || indices.count > 0 else { return }
    var target = 0
    for position in 0..<slices.count {
      let source = try slices.start(position, indices, .input(1))
      for offset in 0..<slices.sliceLength { output[target + offset] = input[source + offset] }
      target += slices.sliceLength
    }
  }
}
