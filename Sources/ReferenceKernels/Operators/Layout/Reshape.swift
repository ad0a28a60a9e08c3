// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let reshape = CatalogEntry(
    .reshape, chapter: .layout, formula: nil, versions: .upTo(1),
    variants: "f32 i8 u8 i16 i32 i64 bool f16 str bf16 u32 c64 f64 i4 u16 u64", optimized: "",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in Reshape(options: try node.options()) }

  static let squeeze = CatalogEntry(
    .squeeze, chapter: .layout, formula: nil, versions: .upTo(2, reference: 1),
    variants: "f32 i8 i32 bool str i64", optimized: "",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in Squeeze(options: try node.options()) }

  static let expandDims = CatalogEntry(
    .expandDims, chapter: .layout, formula: nil, versions: .upTo(1),
    variants: "f32 i8 i32 u8 i16 bool str i64", optimized: "",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in ExpandDims() }
}

/// `RESHAPE`: the same elements in the same order, under another shape.
///
/// - Input 0: the elements.
/// - Input 1: the dimensions, an int32 vector. If there is none, or it is of another form, those
///   in the options hold instead. One dimension may be -1: it becomes what the others leave.
///
/// TFLite: `reshape.cc`, `reshape_utils.h`.
struct Reshape: Operator {
  let options: ReshapeOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...2)
    let input = try node.input(0)
    let shape = try Self.resolve(try wantedDimensions(node), for: input.shape)
    return .sameBytes(input.moved(to: shape, declared: try node.declaredOutput()))
  }

  private func wantedDimensions(_ node: PrepareContext) throws(KernelError) -> [Int] {
    if let shape = node.optionalInput(1), shape.elementType == .int32, shape.shape.rank == 1 {
      return try node.integers(1)
    }
    // Old converters wrote [0] for a scalar.
    return options.newShape == [0] ? [] : options.newShape.map { Int($0) }
  }

  /// The shape that `wanted` means for elements of shape `input`.
  private static func resolve(_ wanted: [Int], for input: Shape) throws(KernelError) -> Shape {
    let stretched = wanted.indices.filter { wanted[$0] == -1 }
    guard stretched.count <= 1 else {
      throw .invalid("more than one dimension of \(wanted) is -1", .input(1))
    }
    var dimensions = wanted
    if let axis = stretched.first {
      dimensions[axis] = 1
      let known = try Shape.checked(dimensions)
      // Zero lengths are left out of the quotient, so that [0, -1] means [0, 6] for [0, 2, 3].
      dimensions[axis] =
        input.elementCount == 0 && known.elementCount != 0
        ? 0 : input.nonZeroProduct / known.nonZeroProduct
    }
    let shape = try Shape.checked(dimensions)
    guard shape.elementCount == input.elementCount else {
      throw .invalid("\(input) cannot be given the shape \(shape)")
    }
    return shape
  }
}

/// `SQUEEZE`: the same elements without axes of length 1, all of them or those in the options.
///
/// TFLite: `squeeze.cc`.
struct Squeeze: Operator {
  let options: SqueezeOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    var removed = Set<Int>()
    for axis in options.axes {
      let axis = try input.shape.axis(Int(axis))
      guard input.shape[axis] == 1 else {
        throw .invalid("axis \(axis) of \(input.shape) is not of length 1", .input(0))
      }
      removed.insert(axis)
    }
    if options.axes.isEmpty {
      removed = Set((0..<input.shape.rank).filter { input.shape[$0] == 1 })
    }
    let kept = (0..<input.shape.rank).filter { !removed.contains($0) }
    let shape = try Shape.checked(kept.map { input.shape[$0] })
    return .sameBytes(input.moved(to: shape, declared: try node.declaredOutput()))
  }
}

/// `EXPAND_DIMS`: the same elements with an axis of length 1 inserted.
///
/// - Input 0: the elements.
/// - Input 1: where the new axis goes, one int32 or int64; -1 appends it.
///
/// TFLite: `expand_dims.cc`.
struct ExpandDims: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try input.expectSameScale(as: output, .output(0))
    if input.elementType == .int16, let affine = input.quantization?.perTensor {
      guard affine.zeroPoint == 0 else { throw .invalid("int16 zero point must be 0", .input(0)) }
    }
    let position = try node.input(1)
    guard position.shape.elementCount == 1 else {
      throw .invalid("\(position.shape.elementCount) axes, wanted 1", .input(1))
    }
    let grown = try Shape.checked(input.shape.dimensions + [1])
    let axis = try grown.axis(try node.integers(1)[0], .input(1))
    var dimensions = input.shape.dimensions
    dimensions.insert(1, at: axis)
    return .sameBytes(input.moved(to: try Shape.checked(dimensions), declared: output))
  }
}

extension Shape {
  /// The product of the lengths that are not zero.
  fileprivate var nonZeroProduct: Int { dimensions.reduce(1) { $0 * max($1, 1) } }
}

extension Prepared {
  /// The bytes of input 0 unchanged as the only output, of the type `output`.
  static func sameBytes(_ output: TensorType) -> Prepared {
    Prepared(outputs: [output], kernel: BytesKernel(), repeatedInput: 0)
  }
}

/// The bytes of input 0 copied to output 0, unless both share them.
package final class BytesKernel: Kernel {
  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: UInt8.self)
    var output = frame.output(0, as: UInt8.self)
    for index in output.indices { output[index] = input[index] }
  }
}
