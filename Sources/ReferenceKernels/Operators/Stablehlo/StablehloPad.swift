// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let stablehloPad = CatalogEntry(
    .stablehloPad, chapter: .stablehlo,
    formula: "y[low + i · (interior + 1)] = x[i] along each axis, where that lies within y",
    versions: .upTo(1),
    variants: "f32 i32 i8 i64 bool f16 u8 i16", optimized: "bool f16 f32 i16 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in StablehloPad(options: try node.options()) }
}

/// `STABLEHLO_PAD`: a tensor with elements added around it and between its elements, or removed.
///
/// - Input 0: the tensor, of rank 1 to 8.
/// - Input 1: one element, which fills the rest.
/// - Output: along each axis `low + n + (n − 1) · interior + high` elements.
///
/// Negative edges crop. Where that leaves an axis without elements, all axes of the output have
/// length 0. TFLite: `stablehlo_pad.cc`.
struct StablehloPad: Operator {
  let options: StablehloPadOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, padding) = (try node.input(0), try node.input(1))
    try padding.expect(input.elementType, .input(1))
    try input.expectNumbers(.input(0))
    guard padding.shape.elementCount == 1 else {
      throw .invalid("\(padding.shape.elementCount) padding values, wanted 1", .input(1))
    }
    guard 1...8 ~= input.shape.rank else {
      throw .rank(input.shape.rank, wanted: "1 to 8", .input(0))
    }
    let declared = try node.declaredOutput()
    try declared.expect(input.elementType, .output(0))
    let layout = try InteriorPadding(
      input.shape, low: options.low, high: options.high, interior: options.interior)
    return try BoxCopies([[layout.box]], over: .input(1)).prepared(
      node, outputs: [input.moved(to: layout.shape, declared: declared)])
  }
}

/// Where the elements of a tensor lie after padding with edges, which may crop, and gaps.
package struct InteriorPadding: Sendable, Hashable {
  /// The padded tensor's shape.
  package let shape: Shape
  /// The elements that remain.
  package let box: BoxCopy

  /// The padding of a tensor of shape `input` by elements per axis.
  ///
  /// - Throws: `KernelError` for numbers that do not fit the rank, negative gaps and overflow.
  package init(
    _ input: Shape, low: [Int64], high: [Int64], interior: [Int64]
  ) throws(KernelError) {
    guard [low.count, high.count, interior.count].allSatisfy({ $0 == input.rank }) else {
      throw .invalid(
        "padding of \(low.count), \(high.count) and \(interior.count) axes, wanted \(input.rank)")
    }
    guard (low + high + interior).allSatisfy({ $0.magnitude <= Shape.elementLimit }) else {
      throw .invalid("padding beyond \(Shape.elementLimit) elements")
    }
    var lengths: [Int] = []
    for axis in input.dimensions.indices {
      guard interior[axis] >= 0 else { throw .invalid("interior padding \(interior[axis])") }
      let gaps = try max(input[axis] - 1, 0).times(Int(interior[axis]))
      lengths.append(
        try input[axis].plus(gaps).plus(Int(low[axis])).plus(Int(high[axis])))
    }
    guard lengths.allSatisfy({ $0 > 0 }) else {
      shape = try Shape.checked(lengths.map { _ in 0 })
      box = BoxCopy([BoxCopy.Axis(0, input: 0, output: 0)])
      return
    }
    shape = try Shape.checked(lengths)
    var axes: [BoxCopy.Axis] = []
    var (from, to) = (0, 0)
    for axis in input.dimensions.indices {
      let step = Int(interior[axis]) + 1
      let first = low[axis] >= 0 ? 0 : (step - 1 - Int(low[axis])) / step
      // The first element that lies beyond the output; 0 where all of it lies before `low`.
      let room = lengths[axis] - min(Int(low[axis]), lengths[axis])
      let end = min(input[axis], room > 0 ? (room - 1) / step + 1 : 0)
      guard first < end else {
        box = BoxCopy([BoxCopy.Axis(0, input: 0, output: 0)])
        return
      }
      from += first * input.strides[axis]
      to += (Int(low[axis]) + first * step) * shape.strides[axis]
      // With one element left, the step does not matter and need not fit.
      let stride = end - first == 1 ? 1 : step * shape.strides[axis]
      axes.append(BoxCopy.Axis(end - first, input: input.strides[axis], output: stride))
    }
    box = BoxCopy(from: from, to: to, axes)
  }
}
