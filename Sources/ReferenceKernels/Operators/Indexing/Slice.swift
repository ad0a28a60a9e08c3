// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let slice = CatalogEntry(
    .slice, chapter: .indexing, formula: "y[i…] = x[begin + i…]", versions: .upTo(8),
    variants: "f32 i8 u8 i16 i32 i64 bool str f16 i4 u32",
    optimized: "bool f16 f32 i16 i32 i64 i8 u32 u8",
    work: .nothing, reads: .selection(of: 0)
  ) { _ throws(KernelError) in Slice() }
}

/// `SLICE`: a box out of a tensor.
///
/// - Input 0: the elements.
/// - Input 1: where the box begins along each axis, an int32 or int64 vector.
/// - Input 2: how long it is along each axis; -1 means as far as the tensor goes.
///
/// TFLite: `slice.cc`.
struct Slice: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    let rank = try Shape.checked([input.shape.rank])
    for position in 1...2 where try node.input(position).shape != rank {
      throw .invalid("one number per axis of \(input.shape) wanted", .input(position))
    }
    let begins = try node.integers(1)
    var lengths = try node.integers(2)
    for (axis, begin) in begins.enumerated() {
      let available = input.shape[axis] - begin.clamped(to: 0...input.shape[axis])
      if lengths[axis] == -1 { lengths[axis] = available }
      guard begin >= 0, begin <= input.shape[axis], 0...available ~= lengths[axis] else {
        throw .invalid(
          "\(lengths[axis]) elements from \(begin) along axis \(axis) of \(input.shape)",
          .input(2))
      }
    }
    let strides = input.shape.strides
    let box = BoxCopy(
      from: zip(begins, strides).reduce(0) { $0 + $1.0 * $1.1 },
      BoxCopy.axes(filling: lengths, inputStrides: strides))
    return try BoxCopies(box).prepared(
      node, outputs: [input.moved(to: try Shape.checked(lengths), declared: output)])
  }
}
