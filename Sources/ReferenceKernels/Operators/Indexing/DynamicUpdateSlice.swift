// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let dynamicUpdateSlice = CatalogEntry(
    .dynamicUpdateSlice, chapter: .indexing, formula: "y = x;  y[start + i…] = update[i…]",
    versions: .upTo(6),
    variants: "f32 i8 i16 i32 i64 bool f16 i4 u8", optimized: "",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in DynamicUpdateSlice() }
}

/// `DYNAMIC_UPDATE_SLICE`: a tensor with a box of it replaced.
///
/// - Input 0: the tensor.
/// - Input 1: the box's new content, of the same rank and nowhere longer.
/// - Input 2: where the box begins along each axis, an int32 or int64 vector; moved so that the
///   box lies within the tensor.
///
/// TFLite: `dynamic_update_slice.cc`.
struct DynamicUpdateSlice: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let (input, update) = (try node.input(0), try node.input(1))
    let starts = try node.input(2)
    try update.expect(input.elementType, .input(1))
    guard update.shape.rank == input.shape.rank,
      zip(update.shape.dimensions, input.shape.dimensions).allSatisfy({ $0 <= $1 })
    else { throw .invalid("a box of \(update.shape) in \(input.shape)", .input(1)) }
    guard starts.shape == (try Shape.checked([input.shape.rank])) else {
      throw .invalid("\(starts.shape) starts for \(input.shape.rank) axes", .input(2))
    }
    let output = input.moved(to: input.shape, declared: try node.declaredOutput())
    let indexType = try IndexType(starts, .input(2))
    return try BoxUpdate(whole: input.shape, box: update.shape, indexType: indexType)
      .prepared(node, outputs: [output])
  }
}

private struct BoxUpdate: Movement {
  let whole: Shape
  let box: Shape
  let indexType: IndexType

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(DynamicUpdateSliceLoop<Unit>(whole: whole, box: box, indexType: indexType))
  }
}

/// The loop of `DYNAMIC_UPDATE_SLICE`.
package struct DynamicUpdateSliceLoop<Unit: TensorElement>: KernelLoop {
  /// The tensor's shape.
  package let whole: Shape
  /// The box's shape.
  package let box: Shape
  /// What the starts are.
  package let indexType: IndexType

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    let starts = Indices(frame, 2, indexType)
    var output = frame.output(0, as: Unit.self)
    for index in output.indices { output[index] = input[index] }
    let strides = whole.strides
    var (to, axes) = (0, [BoxCopy.Axis]())
    for axis in 0..<whole.rank {
      let start = starts[axis].clamped(to: 0...whole[axis] - box[axis])
      to += start * strides[axis]
      axes.append(.init(box[axis], input: box.strides[axis], output: strides[axis]))
    }
    BoxCopy(to: to, axes).copy(frame.input(1, as: Unit.self), into: &output)
  }
}
