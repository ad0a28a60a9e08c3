// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let stablehloGather = CatalogEntry(
    .stablehloGather, chapter: .stablehlo, formula: nil, versions: .upTo(1),
    variants: "f32 i32 i8 i64 bool f16 u8 i16", optimized: "",
    work: .nothing, reads: .selection(of: 0)
  ) { node throws(KernelError) in StablehloGather(options: try node.options()) }
}

/// `STABLEHLO_GATHER`: slices of a tensor, chosen by vectors of start indices.
///
/// - Input 0: the tensor.
/// - Input 1: the start indices, int32 or int64; one axis holds the components of a vector.
/// - Output: `offset_dims` are its axes that walk within a slice, less the collapsed ones; the
///   others are the axes of the indices.
///
/// A start that lies outside is moved to the nearest one whose slice lies within the tensor.
/// TFLite: `stablehlo_gather.cc`.
struct StablehloGather: Operator {
  let options: StablehloGatherOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, indices) = (try node.input(0), try node.input(1))
    let rank = input.shape.rank
    try input.expectNumbers(.input(0))
    guard options.sliceSizes.count == rank else {
      throw .invalid("\(options.sliceSizes.count) slice sizes for \(rank) axes")
    }
    let sizes = options.sliceSizes.map { Int($0) }
    for axis in sizes.indices {
      guard 0...input.shape[axis] ~= sizes[axis] else {
        throw .invalid("slice size \(sizes[axis]) of \(input.shape[axis]) elements")
      }
    }
    let kept = sizes.indices.filter { !options.collapsedSliceDimensions.contains(Int64($0)) }
    let windows = try IndexedWindows(
      rank: rank, windowAxes: options.offsetDimensions,
      omittedAxes: options.collapsedSliceDimensions, components: options.startIndexMap,
      indices: indices.shape, vectorAxis: options.indexVectorDimension,
      windowLengths: kept.map { sizes[$0] })
    let declared = try node.declaredOutput()
    try declared.expect(input.elementType, .output(0))
    let output = input.moved(to: try Shape.checked(windows.lengths), declared: declared)
    let lastStarts = sizes.indices.map { input.shape[$0] - sizes[$0] }
    return try WindowGathering(
      windows: windows, strides: input.shape.strides, lastStarts: lastStarts,
      indexType: try IndexType(indices, .input(1))
    ).prepared(node, outputs: [output])
  }
}

private struct WindowGathering: Movement {
  let windows: IndexedWindows
  let strides: [Int]
  let lastStarts: [Int]
  let indexType: IndexType

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(
      WindowGatherLoop<Unit>(
        windows: windows, strides: strides, lastStarts: lastStarts, indexType: indexType))
  }
}

/// The loop of `STABLEHLO_GATHER` for elements as wide as `Unit`.
package struct WindowGatherLoop<Unit: TensorElement>: KernelLoop {
  /// How output and indices are walked.
  package let windows: IndexedWindows
  /// The input's strides.
  package let strides: [Int]
  /// The last start along each axis whose slice lies within the input.
  package let lastStarts: [Int]
  /// What the start indices are.
  package let indexType: IndexType

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    let indices = Indices(frame, 1, indexType)
    var output = frame.output(0, as: Unit.self)
    guard !output.isEmpty else { return }
    var walk = IndexedWindows.Walk(windows, rank: strides.count)
    var position = 0
    repeat {
      var source = 0
      for axis in strides.indices { source += walk.offsets[axis] * strides[axis] }
      for (component, axis) in windows.components.enumerated() {
        let start = indices[walk.vector + component * windows.componentStride]
        source += max(0, min(start, lastStarts[axis])) * strides[axis]
      }
      output[position] = input[source]
      position += 1
    } while walk.next()
  }
}
