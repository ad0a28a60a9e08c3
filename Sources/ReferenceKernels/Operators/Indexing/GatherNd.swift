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
    switch indices.elementType {
    case .int16: return try SliceGathering<Int16>(slices).prepared(node, outputs: [output])
    case .int32: return try SliceGathering<Int32>(slices).prepared(node, outputs: [output])
    case .int64: return try SliceGathering<Int64>(slices).prepared(node, outputs: [output])
    case let other: throw .elementType(other, .input(1))
    }
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
  func start<Index: TensorElement & FixedWidthInteger>(
    _ position: Int, _ indices: Span<Index>, _ tensor: KernelError.Tensor
  ) throws(KernelError) -> Int {
    var start = 0
    for axis in lengths.indices {
      let index = indices[position * lengths.count + axis]
      guard index >= 0, Int64(index) < Int64(lengths[axis]) else {
        throw .invalid("index \(index) along axis \(axis) of length \(lengths[axis])", tensor)
      }
      start += Int(index) * strides[axis]
    }
    return start
  }
}

private struct SliceGathering<Index: TensorElement & FixedWidthInteger>: Movement {
  let slices: IndexedSlices

  init(_ slices: IndexedSlices) { self.slices = slices }

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    GatherNdKernel<Unit, Index>(slices)
  }
}

/// The loop of `GATHER_ND` for elements as wide as `Unit` and indices of type `Index`.
package struct GatherNdLoop<Unit, Index>: KernelLoop
where Unit: TensorElement, Index: TensorElement & FixedWidthInteger {
  /// The slices to choose from.
  package let slices: IndexedSlices

  /// The loop over `slices`.
  package init(_ slices: IndexedSlices) { self.slices = slices }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    let indices = frame.input(1, as: Index.self)
    var output = frame.output(0, as: Unit.self)
    guard !output.isEmpty || !indices.isEmpty else { return }
    var target = 0
    for position in 0..<slices.count {
      let source = try slices.start(position, indices, .input(1))
      for offset in 0..<slices.sliceLength { output[target + offset] = input[source + offset] }
      target += slices.sliceLength
    }
  }
}

/// The kernel of `GatherNdLoop`.
package typealias GatherNdKernel<Unit, Index> = LoopKernel<GatherNdLoop<Unit, Index>>
where Unit: TensorElement, Index: TensorElement & FixedWidthInteger

extension LoopKernel {
  /// The loop over `slices`.
  package convenience init<Unit, Index>(_ slices: IndexedSlices)
  where
    Loop == GatherNdLoop<Unit, Index>, Unit: TensorElement, Index: TensorElement & FixedWidthInteger
  {
    self.init(GatherNdLoop(slices))
  }
}
