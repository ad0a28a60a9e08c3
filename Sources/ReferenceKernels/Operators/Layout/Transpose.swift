// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let transpose = CatalogEntry(
    .transpose, chapter: .layout,
    formula: "y[i₀, i₁, …] = x[…],   axis k of y is axis permutation[k] of x",
    versions: .upTo(9, reference: 8),
    variants: "f32 i8 u8 i16 i32 i64 bool f16 i4 u32 c64",
    optimized: "bool c64 f16 f32 i16 i32 i64 i8 u32 u8",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in Transpose() }

  static let depthToSpace = CatalogEntry(
    .depthToSpace, chapter: .layout,
    formula: "y[b, r·s + i, c·s + j, k] = x[b, r, c, (i·s + j)·depth + k],   s the block size",
    versions: .upTo(2, reference: 1),
    variants: "f32 i8 u8 i32 i64", optimized: "f32 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in DepthToSpace(options: try node.options()) }

  static let spaceToDepth = CatalogEntry(
    .spaceToDepth, chapter: .layout,
    formula: "y[b, r, c, (i·s + j)·depth + k] = x[b, r·s + i, c·s + j, k],   s the block size",
    versions: .upTo(2),
    variants: "f32 i8 u8 i32 i64", optimized: "f32 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in SpaceToDepth(options: try node.options()) }
}

/// `TRANSPOSE`: the same elements with their axes in another order.
///
/// - Input 0: the elements.
/// - Input 1: the permutation, an int32 vector; negative axes count from the end.
///
/// TFLite: `transpose.cc`, `reference/transpose.h`.
struct Transpose: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    let order = try node.input(1)
    guard order.shape == (try Shape.checked([input.shape.rank])) else {
      throw .invalid("\(order.shape) permutation of \(input.shape.rank) axes", .input(1))
    }
    var permutation: [Int] = []
    for axis in try node.integers(1) {
      permutation.append(try input.shape.axis(axis, .input(1)))
    }
    guard Set(permutation).count == permutation.count else {
      throw .invalid("\(permutation) repeats an axis", .input(1))
    }
    let dimensions = permutation.map { input.shape[$0] }
    let strides = input.shape.strides
    let box = BoxCopy(
      BoxCopy.axes(filling: dimensions, inputStrides: permutation.map { strides[$0] }))
    return try BoxCopies(box).prepared(
      node, outputs: [input.moved(to: try Shape.checked(dimensions), declared: output)])
  }
}

/// `DEPTH_TO_SPACE`: channels spread over blocks of pixels.
///
/// TFLite: `depth_to_space.cc`.
struct DepthToSpace: Operator {
  let options: DepthToSpaceOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    guard input.shape.rank == 4 else { throw .rank(input.shape.rank, wanted: "4", .input(0)) }
    let block = Int(options.blockSize)
    guard block > 0, input.shape[3] % (block * block) == 0 else {
      throw .invalid("blocks of \(block) by \(block) from \(input.shape[3]) channels", .input(0))
    }
    let depth = input.shape[3] / (block * block)
    let shape = try Shape.checked([
      input.shape[0], input.shape[1].times(block), input.shape[2].times(block), depth,
    ])
    let strides = input.shape.strides
    let box = BoxCopy(
      BoxCopy.axes(
        filling: [input.shape[0], input.shape[1], block, input.shape[2], block, depth],
        inputStrides: [strides[0], strides[1], block * depth, strides[2], depth, 1]))
    return try BoxCopies(box).prepared(
      node, outputs: [input.moved(to: shape, declared: output)])
  }
}

/// `SPACE_TO_DEPTH`: blocks of pixels gathered into channels, the inverse of `DEPTH_TO_SPACE`.
///
/// TFLite: `space_to_depth.cc`.
struct SpaceToDepth: Operator {
  let options: SpaceToDepthOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    guard input.shape.rank == 4 else { throw .rank(input.shape.rank, wanted: "4", .input(0)) }
    let block = Int(options.blockSize)
    guard block > 0, input.shape[1] % block == 0, input.shape[2] % block == 0 else {
      throw .invalid("blocks of \(block) by \(block) from \(input.shape)", .input(0))
    }
    let (rows, columns, depth) = (input.shape[1] / block, input.shape[2] / block, input.shape[3])
    let shape = try Shape.checked([input.shape[0], rows, columns, depth.times(block).times(block)])
    let strides = input.shape.strides
    let box = BoxCopy(
      BoxCopy.axes(
        filling: [input.shape[0], rows, columns, block, block, depth],
        inputStrides: [
          strides[0], try strides[1].times(block), try strides[2].times(block), strides[1],
          strides[2], 1,
        ]))
    return try BoxCopies(box).prepared(
      node, outputs: [input.moved(to: shape, declared: output)])
  }
}
