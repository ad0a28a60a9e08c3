// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let spaceToBatchND = CatalogEntry(
    .spaceToBatchND, chapter: .layout,
    formula: "y[(i·s_w + j)·batch + b, r, c] = padded x[b, r·s_h + i, c·s_w + j]",
    versions: .upTo(4),
    variants: "f32 i8 u8 i16 i32 i64", optimized: "f32 i8 u8 i16 i32 i64",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in SpaceToBatch() }

  static let batchToSpaceND = CatalogEntry(
    .batchToSpaceND, chapter: .layout,
    formula: """
      y[b, r, c] = x[(i·s_w + j)·batch + b, R / s_h, C / s_w],   \
      i = R mod s_h, j = C mod s_w
      """,
    versions: .upTo(4),
    variants: "f32 i8 u8 i16 i32 i64", optimized: "f32 i8 u8 i16 i32 i64",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in BatchToSpace() }
}

/// `SPACE_TO_BATCH_ND`: the pixels of blocks spread over the batch, after padding.
///
/// - Input 0: `[batch, height, width, depth]`, or `[batch, height, depth]`.
/// - Input 1: the block's lengths `s`, int32.
/// - Input 2: the padding before and after each spatial axis, int32; filled with zeros, which for
///   8-bit tensors is the zero point.
///
/// TFLite: `space_to_batch_nd.cc`, `reference/space_to_batch_nd.h`.
struct SpaceToBatch: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let blocks = try SpatialBlocks(node)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    var dimensions = input.shape.dimensions
    for (axis, block) in blocks.lengths.enumerated() {
      let padded = input.shape[axis + 1] + blocks.before[axis] + blocks.after[axis]
      guard padded % block == 0 else {
        throw .invalid("length \(padded) is no multiple of the block's \(block)", .input(2))
      }
      dimensions[axis + 1] = padded / block
      dimensions[0] = try dimensions[0].times(block)
    }
    let type = input.moved(to: try Shape.checked(dimensions), declared: output)
    let zeroPoint = output.quantization?.perTensor?.zeroPoint ?? 0
    let grid = BlockGrid(blocks, whole: input.shape, parts: type.shape)
    return try BatchSpreading(
      grid: grid, padding: UInt8(truncatingIfNeeded: zeroPoint)
    ).prepared(node, outputs: [type])
  }
}

/// `BATCH_TO_SPACE_ND`: the batch gathered to blocks of pixels, before cropping.
///
/// with `R = r + crop` and `C = c + crop`. Inputs are those of `SPACE_TO_BATCH_ND`, with crops in
/// location of paddings. TFLite: `batch_to_space_nd.cc`, `reference/batch_to_space_nd.h`.
struct BatchToSpace: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let blocks = try SpatialBlocks(node)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    var dimensions = input.shape.dimensions
    for (axis, block) in blocks.lengths.enumerated() {
      guard dimensions[0] % block == 0 else {
        throw .invalid("batch \(dimensions[0]) is no multiple of the block's \(block)", .input(0))
      }
      dimensions[0] /= block
      dimensions[axis + 1] =
        try dimensions[axis + 1].times(block) - blocks.before[axis] - blocks.after[axis]
    }
    let type = input.moved(to: try Shape.checked(dimensions), declared: output)
    let grid = BlockGrid(blocks, whole: type.shape, parts: input.shape)
    return try BatchGathering(grid: grid).prepared(node, outputs: [type])
  }
}

/// The block lengths and margins of a node, checked.
private struct SpatialBlocks {
  let lengths: [Int]
  let before: [Int]
  let after: [Int]

  init(_ node: PrepareContext) throws(KernelError) {
    try node.expect(inputs: 3...3)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    try input.expectNumbers(.input(0))
    guard 3...4 ~= input.shape.rank else {
      throw .rank(input.shape.rank, wanted: "3 or 4", .input(0))
    }
    if [.uint8, .int8, .int16].contains(input.elementType) {
      try input.expectSameScale(as: output, .output(0))
    }
    if input.elementType == .int16 { try expectSymmetric(input, output) }
    let spatialRank = input.shape.rank - 2
    try node.input(1).expect(.int32, .input(1))
    try node.input(2).expect(.int32, .input(2))
    guard try node.input(1).shape == Shape.checked([spatialRank]),
      try node.input(2).shape == Shape.checked([spatialRank, 2])
    else { throw .invalid("blocks or margins do not fit \(input.shape)", .input(1)) }
    lengths = try node.integers(1)
    let margins = try node.integers(2)
    guard lengths.allSatisfy({ $0 > 0 }) else {
      throw .invalid("block lengths \(lengths) are not all positive", .input(1))
    }
    guard margins.allSatisfy({ $0 >= 0 }) else {
      throw .invalid("margins \(margins) are not all positive or 0", .input(2))
    }
    before = (0..<spatialRank).map { margins[2 * $0] }
    after = (0..<spatialRank).map { margins[2 * $0 + 1] }
  }
}

/// Images as a whole, and cut into blocks whose pixels are batches of small images.
package struct BlockGrid: Sendable, Hashable {
  /// Batch, height and width of the whole images.
  package let whole: [Int]
  /// Batch, height and width of the small ones.
  package let parts: [Int]
  /// Rows and columns of a block.
  package let block: [Int]
  /// Rows and columns that the first block begins before the image.
  package let margin: [Int]
  /// Channels.
  package let depth: Int

  fileprivate init(_ blocks: SpatialBlocks, whole: Shape, parts: Shape) {
    // A missing width counts as one column.
    let filler = whole.rank == 3 ? [1] : []
    self.whole = Array(whole.dimensions.dropLast()) + filler
    self.parts = Array(parts.dimensions.dropLast()) + filler
    block = blocks.lengths + filler
    margin = blocks.before + (filler.isEmpty ? [] : [0])
    depth = whole.dimensions.last ?? 1
  }
}

private struct BatchSpreading: Movement {
  let grid: BlockGrid
  let padding: UInt8

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    // As in TFLite, every byte of the padding is the lowest of the zero point's.
    let bytes = [UInt8](repeating: padding, count: MemoryLayout<Unit>.size)
    return LoopKernel(
      SpaceToBatchLoop<Unit>(grid: grid, padding: TensorBytes(copying: bytes)))
  }
}

private struct BatchGathering: Movement {
  let grid: BlockGrid

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(BatchToSpaceLoop<Unit>(grid: grid))
  }
}

/// The loop of `SPACE_TO_BATCH_ND`.
package struct SpaceToBatchLoop<Unit: TensorElement>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.movement, Unit.elementType) }

  /// How images are cut.
  package let grid: BlockGrid
  /// The element around images, as stored.
  package let padding: TensorBytes

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    var output = frame.output(0, as: Unit.self)
    guard !output.isEmpty else { return }
    let padding = padding.span(as: Unit.self)[0]
    let (whole, block, depth) = (grid.whole, grid.block, grid.depth)
    var target = 0
    for part in 0..<grid.parts[0] {
      let (batch, shift) = (part % whole[0], part / whole[0])
      for partRow in 0..<grid.parts[1] {
        let row = partRow * block[0] + shift / block[1] - grid.margin[0]
        for partColumn in 0..<grid.parts[2] {
          let column = partColumn * block[1] + shift % block[1] - grid.margin[1]
          if row >= 0, row < whole[1], column >= 0, column < whole[2] {
            let source = ((batch * whole[1] + row) * whole[2] + column) * depth
            for k in 0..<depth { output[target + k] = input[source + k] }
          } else {
            for k in 0..<depth { output[target + k] = padding }
          }
          target += depth
        }
      }
    }
  }
}

/// The loop of `BATCH_TO_SPACE_ND`.
package struct BatchToSpaceLoop<Unit: TensorElement>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.movement, Unit.elementType) }

  /// How images are cut.
  package let grid: BlockGrid

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    var output = frame.output(0, as: Unit.self)
    guard !output.isEmpty else { return }
    let (whole, parts, block, depth) = (grid.whole, grid.parts, grid.block, grid.depth)
    var target = 0
    for batch in 0..<whole[0] {
      for row in grid.margin[0]..<grid.margin[0] + whole[1] {
        for column in grid.margin[1]..<grid.margin[1] + whole[2] {
          let shift = row % block[0] * block[1] + column % block[1]
          let part = shift * whole[0] + batch
          let source =
            ((part * parts[1] + row / block[0]) * parts[2] + column / block[1]) * depth
          for k in 0..<depth { output[target + k] = input[source + k] }
          target += depth
        }
      }
    }
  }
}
