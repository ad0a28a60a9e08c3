// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `BATCH_MATMUL` of floats, and `FULLY_CONNECTED` whose weights another node computes.
///
/// Right matrices that are part of the model are packed once, others at every evaluation, and left
/// ones that are stored column by column are brought into rows. Every sum is one chain in the
/// reference kernel's order, fused multiply-adds aside.
final class FloatMatrices: BlockKernel {
  private let nest: BatchMatMulNest
  private let pairs: [MatrixPair]
  private let rightCount: Int
  private let turned: TurnedMatrices
  private let constant: PackedWeights<[PackedFloatMatrix]>?
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  private let rows: ProductRows
  private let size: ProductSize

  /// The products of `loop`; nil where packing would not pay.
  convenience init?(
    _ loop: BatchMatMulLoop<FloatConvolution>, _ node: PrepareContext, _ cache: WeightCache,
    _ set: MicrokernelSet
  ) {
    self.init(loop.nest, loop.arithmetic, node, cache, set)
  }

  /// The product of `loop`, whose weights another node computes; nil where it has a bias, or packing
  /// would not pay.
  convenience init?(
    _ loop: ConvolutionLoop<FullyConnectedNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    guard node.optionalInput(2) == nil, loop.unpackedFilter == nil, let nest = loop.nest.matrices
    else { return nil }
    self.init(nest, loop.arithmetic, node, cache, set)
  }

  private init?(
    _ nest: BatchMatMulNest, _ arithmetic: FloatConvolution, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let matrix = nest.depth * nest.columnCount
    guard let pairs = MatrixPair.list(nest),
      let right = node.optionalInput(1)
    else { return nil }
    self.nest = nest
    turned = TurnedMatrices(nest)
    rightCount = right.shape.elementCount / matrix
    self.pairs = pairs
    let layout = set.float.layout
    if let weights = ConstantWeights(
      node, filterByteCount: rightCount * matrix * 4, biasByteCount: 0)
    {
      let form = WeightForm("float matrices", set, nest.parameters)
      constant = weights.packed(in: cache, form: form) { [rightCount] allocate in
        (0..<rightCount).map { index in
          unsafe PackedFloatMatrix(
            Self.source(nest, weights.filterAddress(as: Float.self), index), layout,
            allocate: allocate)
        }
      }
    } else {
      guard nest.rowCount > 1 else { return nil }
      constant = nil
    }
    range = arithmetic.range
    kernels = set.float
    rows = ProductRows(rowCount: nest.rowCount, rowByteCount: nest.depth * 4)
    size = ProductSize(
      rowCount: nest.rowCount, columnCount: nest.columnCount, tapCount: 1,
      tileRows: layout.tileRows, panelWidth: layout.panelWidth, laneCount: layout.laneCount,
      panelByteCount: layout.panelByteCount(depth: nest.depth))
  }

  /// The right matrix `index` as it is stored.
  private static func source(
    _ nest: BatchMatMulNest, _ first: UnsafePointer<Float>, _ index: Int
  ) -> FloatMatrixSource {
    unsafe FloatMatrixSource(
      weights: first + index * nest.depth * nest.columnCount,
      columnStride: nest.transposesRight ? nest.depth : 1,
      depthStride: nest.transposesRight ? 1 : nest.columnCount, columnCount: nest.columnCount,
      depth: nest.depth)
  }

  private var packedByteCount: Int {
    kernels.layout.packedByteCount(columnCount: nest.columnCount, depth: nest.depth)
  }

  /// Bytes of a left matrix.
  private var leftByteCount: Int { nest.rowCount * nest.depth * 4 }

  /// Bytes of the scratch tensors: left matrices row by row, and the packed right ones.
  var scratch: [Int] {
    turned.scratch(elementByteCount: 4)
      + (constant == nil ? [rightCount * packedByteCount] : [])
  }

  func begin(_ frame: borrowing TensorFrame) {
    turned.write(frame, elementByteCount: 4)
    guard constant == nil, let address = unsafe frame.inputAddress(1) else { return }
    let right = unsafe address.assumingMemoryBound(to: Float.self)
    for index in 0..<rightCount {
      unsafe kernels.layout.pack(
        Self.source(nest, right, index), into: packedAddress(frame) + index * packedByteCount)
    }
  }

  func blockCount(workerCount: Int) -> Int {
    pairs.count * ProductBlocks(size, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe turned.address(frame) else { return }
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let blocks = ProductBlocks(size, workerCount: workerCount)
    let layout = kernels.layout
    let copies = layout.prefersCopies(
      depth: nest.depth, tapCount: 1, columnCount: nest.columnCount)
    let memory = WorkerMemory(
      rows, rowStep: blocks.rowStep,
      tileByteCount: copies ? layout.scratchByteCount(depth: nest.depth) : 0)
    unsafe memory.use { parts in
      while let block = next() {
        let index = block / blocks.count
        let (rowRange, columns) = (
          blocks.rows(block % blocks.count), blocks.columns(block % blocks.count)
        )
        let left = unsafe input + pairs[index].left * leftByteCount
        unsafe rows.locate(
          rowRange, input: left, padding: left, pointers: parts.pointers, spill: parts.spill)
        let first = (index * nest.rowCount + rowRange.lowerBound) * nest.columnCount
        let pointers = unsafe UnsafeRawPointer(parts.pointers)
          .assumingMemoryBound(to: UnsafePointer<Float>.self)
        unsafe kernels.gemm(
          FloatGemmTask(
            rows: pointers, rowPitch: rowRange.count, rowCount: rowRange.count, tapCount: 1,
            depth: nest.depth,
            weights: panel(frame, pairs[index].right, from: columns.lowerBound),
            columnCount: columns.count, output: output + (first + columns.lowerBound),
            outputStride: nest.columnCount, lowest: range.lowest, highest: range.highest,
            scratch: copies ? parts.tile : nil))
      }
    }
  }

  /// Where right matrices are packed that are no part of the model.
  @unsafe
  private func packedAddress(_ frame: borrowing TensorFrame) -> UnsafeMutableRawPointer {
    unsafe frame.scratchAddress(turned.count > 0 ? 1 : 0)
  }

  /// The panel of a right matrix that starts with `column`.
  @unsafe
  private func panel(
    _ frame: borrowing TensorFrame, _ matrix: Int, from column: Int
  ) -> UnsafeRawPointer {
    if let constant { return unsafe constant.value[matrix].panel(from: column) }
    return unsafe UnsafeRawPointer(packedAddress(frame))
      + (matrix * packedByteCount
        + column / size.panelWidth * size.panelByteCount)
  }
}
