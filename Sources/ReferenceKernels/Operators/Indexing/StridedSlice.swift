// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let stridedSlice = CatalogEntry(
    .stridedSlice, chapter: .indexing, formula: "y[i…] = x[begin + i · stride…]",
    versions: .upTo(8, reference: 4),
    variants: "f32 i8 u8 i16 i32 i64 bool str f16 u32",
    optimized: "bool f16 f32 i16 i32 i64 i8 u32 u8",
    work: .nothing, reads: .selection(of: 0)
  ) { node throws(KernelError) in StridedSlice(options: try node.options()) }
}

/// `STRIDED_SLICE`: `x[begin:end:stride, …]` as in NumPy.
///
/// - Input 0: the elements.
/// - Inputs 1 to 3: begin, end and stride of each entry of the index, int32 vectors.
///
/// Negative begins and ends count from the end of the axis. Bit `i` of a mask in the options is
/// about entry `i`: its begin or end is left out (`begin_mask`, `end_mask`), it stands for all
/// axes that no other entry names (`ellipsis_mask`), it inserts an axis of length 1
/// (`new_axis_mask`), or it picks one index and removes the axis (`shrink_axis_mask`). With
/// `offset`, ends count from the begin.
///
/// TFLite, whose rules for an ellipsis are followed here, lets it stand for at least one axis.
/// Picking an index outside of an axis, or with a negative stride, leaves its output undefined;
/// here it is an error. TFLite: `strided_slice.cc`, `reference/strided_slice.h`.
struct StridedSlice: Operator {
  let options: StridedSliceOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 4...4)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    for position in 1...3 {
      try node.input(position).expect(.int32, .input(position))
      let entries = try node.input(position).shape
      guard entries.rank == 1, entries == (try node.input(1).shape), entries[0] <= 31 else {
        throw .invalid("\(entries) entries of an index", .input(position))
      }
    }
    let index = SliceIndex(
      options, begins: try node.integers(1), ends: try node.integers(2),
      strides: try node.integers(3))
    let ranges = try index.ranges(of: input.shape)
    let strides = input.shape.strides
    var (from, inputStrides) = (0, [Int]())
    for range in ranges {
      let stride = range.axis.map { strides[$0] } ?? 0
      from += range.begin * stride
      // A stride is a step only where there are several steps; others could overflow.
      inputStrides.append(range.count > 1 ? range.stride * stride : 0)
    }
    let box = BoxCopy(
      from: from, BoxCopy.axes(filling: ranges.map(\.count), inputStrides: inputStrides))
    let shape = try Shape.checked(ranges.filter { !$0.isRemoved }.map(\.count))
    return try BoxCopies(box).prepared(
      node, outputs: [input.moved(to: shape, declared: output)])
  }
}
