// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let tile = CatalogEntry(
    .tile, chapter: .layout, formula: "y[i…] = x[i mod n…],   n the length of an axis of x",
    versions: .upTo(3, reference: 2),
    variants: "f32 i8 u8 i32 i64 bool str i16", optimized: "bool f32 i16 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in Tile() }

  static let broadcastTo = CatalogEntry(
    .broadcastTo, chapter: .layout, formula: "y[i…] = x[i…],   along axes of x of length 1 x[0]",
    versions: .upTo(4),
    variants: "f32 i8 u8 i16 i32 i64 bool f16 u32",
    optimized: "bool f16 f32 i16 i32 i64 i8 u32 u8",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in BroadcastTo() }

  static let broadcastArgs = CatalogEntry(
    .broadcastArgs, chapter: .layout, formula: nil, versions: .upTo(1),
    variants: "i32 i64", optimized: "",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in BroadcastArguments() }
}

/// `TILE`: a tensor repeated along its axes.
///
/// - Input 0: the elements.
/// - Input 1: how often along each axis, an int32 or int64 vector.
///
/// TFLite: `tile.cc`.
struct Tile: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    let counts = try node.integers(1)
    guard counts.count == input.shape.rank, counts.allSatisfy({ $0 >= 0 }) else {
      throw .invalid("repetitions \(counts) of \(input.shape)", .input(1))
    }
    var dimensions: [Int] = []
    for (length, count) in zip(input.shape.dimensions, counts) {
      dimensions.append(try length.times(count))
    }
    let shape = try Shape.checked(dimensions)
    guard shape.elementCount > 0 else {
      return try BoxCopies([[]]).prepared(
        node, outputs: [input.moved(to: shape, declared: output)])
    }
    var axes: [BoxCopy.Axis] = []
    for axis in 0..<shape.rank {
      let (length, stride) = (input.shape[axis], shape.strides[axis])
      axes.append(.init(counts[axis], input: 0, output: length * stride))
      axes.append(.init(length, input: input.shape.strides[axis], output: stride))
    }
    return try BoxCopies(BoxCopy(axes)).prepared(
      node, outputs: [input.moved(to: shape, declared: output)])
  }
}

/// `BROADCAST_TO`: a tensor repeated along its axes of length 1 to fill a shape.
///
/// - Input 0: the elements.
/// - Input 1: the shape, an int32 or int64 vector; axes are aligned at the innermost one.
///
/// TFLite: `broadcast_to.cc`.
struct BroadcastTo: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    guard try node.input(1).shape.rank == 1 else {
      throw .rank(try node.input(1).shape.rank, wanted: "1", .input(1))
    }
    let shape = try Shape.checked(try node.integers(1))
    let added = shape.rank - input.shape.rank
    guard added >= 0,
      (0..<input.shape.rank).allSatisfy({ axis in
        input.shape[axis] == 1 || input.shape[axis] == shape[added + axis]
      })
    else { throw .invalid("\(input.shape) cannot be broadcast to \(shape)", .input(1)) }
    let strides = (0..<shape.rank).map { axis in
      axis < added || input.shape[axis - added] == 1 ? 0 : input.shape.strides[axis - added]
    }
    return try BoxCopies(BoxCopy(BoxCopy.axes(filling: shape.dimensions, inputStrides: strides)))
      .prepared(node, outputs: [input.moved(to: shape, declared: output)])
  }
}

/// `BROADCAST_ARGS`: the shape that two shapes are broadcast to.
///
/// Inputs and output are vectors of dimensions, all int32 or all int64.
/// TFLite: `broadcast_args.cc`.
struct BroadcastArguments: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (left, right) = (try node.input(0), try node.input(1))
    try right.expect(left.elementType, .input(1))
    for position in 0...1 where try node.input(position).shape.rank != 1 {
      throw .rank(try node.input(position).shape.rank, wanted: "1", .input(position))
    }
    let count = max(left.shape[0], right.shape[0])
    let output = TensorType(
      left.elementType, try Shape.checked([count]),
      quantization: try node.declaredOutput().quantization)
    switch left.elementType {
    case .int32: return Prepared(output, LoopKernel(BroadcastArgumentsLoop<Int32>()))
    case .int64: return Prepared(output, LoopKernel(BroadcastArgumentsLoop<Int64>()))
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// The loop of `BROADCAST_ARGS`, from the innermost dimension outwards.
package struct BroadcastArgumentsLoop<Dimension>: SteppedLoop
where Dimension: TensorElement & FixedWidthInteger {
  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let left = frame.input(0, as: Dimension.self)
    let right = frame.input(1, as: Dimension.self)
    var output = frame.output(0, as: Dimension.self)
    for axis in 1..<output.count + 1 {
      steps.about(output.count - axis)
      let first = axis <= left.count ? steps.read(left, left.count - axis) : 1
      let second = axis <= right.count ? steps.read(right, right.count - axis) : 1
      guard first == second || first == 1 || second == 1 else {
        throw .invalid("dimensions \(first) and \(second) cannot be broadcast")
      }
      output[output.count - axis] = steps.note(
        "length",
        "\(first) and \(second): the one that is not 1; a missing axis counts as 1",
        first == 1 ? second : first)
    }
  }
}
