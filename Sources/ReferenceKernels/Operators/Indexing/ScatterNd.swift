// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let scatterND = CatalogEntry(
    .scatterND, chapter: .indexing,
    formula: "y[indices[j…, 0], indices[j…, 1], …, i…] += updates[j…, i…]", versions: .upTo(1),
    variants: "f32 i32 i64 i8 u8 bool", optimized: "",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in ScatterNd() }
}

/// `SCATTER_ND`: slices added to a tensor of zeros at locations given by vectors of indices.
///
/// - Input 0: the indices, int32; the innermost axis holds a vector.
/// - Input 1: the slices. Where several go to one position, integers wrap and truth values are
///   or-ed.
/// - Input 2: the output's shape, int32.
///
/// TFLite: `scatter_nd.cc`.
struct ScatterNd: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let (indices, updates) = (try node.input(0), try node.input(1))
    try indices.expect(.int32, .input(0))
    try node.input(2).expect(.int32, .input(2))
    guard try node.input(2).shape.rank == 1 else {
      throw .rank(try node.input(2).shape.rank, wanted: "1", .input(2))
    }
    let shape = try Shape.checked(try node.integers(2))
    guard let depth = indices.shape.dimensions.last, depth <= shape.rank,
      updates.shape.rank >= 1,
      updates.shape.dimensions == indices.shape.dimensions.dropLast() + shape.dimensions[depth...]
    else {
      throw .invalid(
        "updates of shape \(updates.shape) at indices of shape \(indices.shape) in \(shape)",
        .input(1))
    }
    let slices = IndexedSlices(of: shape, indices: indices.shape, depth: depth)
    let output = updates.moved(to: shape, declared: try node.declaredOutput())
    return Prepared(output, try kernel(updates.elementType, slices))
  }

  private func kernel(
    _ type: ElementType, _ slices: IndexedSlices
  ) throws(KernelError) -> any Kernel {
    switch type {
    case .float32: LoopKernel(ScatterNdLoop<Float>(slices: slices))
    case .int8: LoopKernel(ScatterNdLoop<Int8>(slices: slices))
    case .uint8: LoopKernel(ScatterNdLoop<UInt8>(slices: slices))
    case .int32: LoopKernel(ScatterNdLoop<Int32>(slices: slices))
    case .int64: LoopKernel(ScatterNdLoop<Int64>(slices: slices))
    case .bool: LoopKernel(ScatterNdLoop<BoolByte>(slices: slices))
    case let other: throw .elementType(other, .input(1))
    }
  }
}

/// The loop of `SCATTER_ND`.
package struct ScatterNdLoop<Element: SummedElement>: SteppedLoop {
  /// The slices to write.
  package let slices: IndexedSlices

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let indices = Indices(frame, 0, .int32)
    let updates = frame.input(1, as: Element.self)
    var output = frame.output(0, as: Element.self)
    for index in output.indices {
      steps.about(index)
      output[index] = steps.note("start", "zero, to which updates are added", element: .zero)
    }
    guard indices.count > 0 || !updates.isEmpty else { return }
    var source = 0
    for position in 0..<slices.count {
      let target = try slices.start(position, indices, .input(0))
      for offset in 0..<slices.sliceLength {
        steps.about(target + offset)
        let update = steps.read(updates, source + offset)
        output[target + offset] = steps.note(
          "sum", "with the update \(update)", element: output[target + offset].plus(update))
      }
      source += slices.sliceLength
    }
  }
}
