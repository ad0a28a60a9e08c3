// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `BATCH_MATMUL` of int8 quantized values, and `FULLY_CONNECTED` whose weights another node computes:
/// the same quantized values as the reference kernels.
///
/// Right matrices that are part of the model are packed once, others by the worker that meets them, and
/// left ones that are stored column by column are brought into rows.
final class ByteMatrices: BlockKernel {
  private let nest: BatchMatMulNest
  private let pairs: [MatrixPair]
  private let turned: TurnedMatrices
  private let constant: PackedWeights<[PackedByteMatrix]>?
  private let format: ByteFormat
  private let set: MicrokernelSet
  private let rows: ProductRows
  private let positions: [Int?]

  /// The products of `loop`; nil where packing would not pay, or no fast kernel follows its format.
  convenience init?(
    _ loop: BatchMatMulLoop<QuantizedConvolution<Int8, Int8>>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    self.init(loop.nest, ByteFormat(loop.arithmetic), node, cache, set)
  }

  /// The product of `loop`, whose weights another node computes; nil where it has a bias, packing
  /// would not pay, or no fast kernel follows its format.
  convenience init?(
    _ loop: ConvolutionLoop<
      FullyConnectedNest, QuantizedFullyConnected<Int8, Int8, Int32, Int8>
    >,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    guard node.optionalInput(2) == nil, loop.unpackedFilter == nil, let nest = loop.nest.matrices
    else { return nil }
    self.init(nest, ByteFormat(loop.arithmetic), node, cache, set)
  }

  private init?(
    _ nest: BatchMatMulNest, _ format: ByteFormat?, _ node: PrepareContext, _ cache: WeightCache,
    _ set: MicrokernelSet
  ) {
    guard let pairs = MatrixPair.list(nest), let right = node.optionalInput(1), let format
    else { return nil }
    let matrix = nest.depth * nest.columnCount
    let count = right.shape.elementCount / matrix
    if let weights = ConstantWeights(node, filterByteCount: count * matrix, biasByteCount: 0) {
      let form = WeightForm("byte matrices", set, nest.parameters + format.parameters)
      constant = weights.packed(in: cache, form: form) { allocate in
        (0..<count).map { index in
          unsafe Self.packed(
            nest, weights.filterAddress(as: UInt8.self), index, format, set, allocate)
        }
      }
    } else {
      guard nest.rowCount > 4 else { return nil }
      constant = nil
    }
    self.nest = nest
    turned = TurnedMatrices(nest)
    self.pairs = pairs
    self.format = format
    self.set = set
    rows = ProductRows(rowCount: nest.rowCount, rowByteCount: nest.depth)
    positions = set.byte.layout.positions(columnCount: nest.columnCount)
  }

  /// The right matrix `index`, packed.
  private static func packed(
    _ nest: BatchMatMulNest, _ first: UnsafePointer<UInt8>, _ index: Int, _ format: ByteFormat,
    _ set: MicrokernelSet, _ allocate: AlignedMemory.Allocation
  ) -> PackedByteMatrix {
    unsafe nest.packedRight(
      index, from: first, zeroPoint: format.filterZeroPoint,
      activationZeroPoint: format.activations.unsignedZeroPoint, set, allocate)
  }

  /// Bytes of the scratch tensors: left matrices row by row.
  var scratch: [Int] { turned.scratch(elementByteCount: 1) }

  func begin(_ frame: borrowing TensorFrame) { turned.write(frame, elementByteCount: 1) }

  /// Each block is a pair.
  func blockCount(workerCount: Int) -> Int { pairs.count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe turned.address(frame), let right = unsafe frame.inputAddress(1) else {
      return
    }
    let output = unsafe frame.outputAddress(0)
    let memory = WorkerMemory(
      rows, rowStep: nest.rowCount,
      tileByteCount: set.byte.layout.scratchByteCount(depth: nest.depth))
    unsafe memory.use { parts in
      while let block = next() {
        let pair = pairs[block]
        let matrix =
          constant?.value[pair.right]
          ?? (unsafe Self.packed(
            nest, right.assumingMemoryBound(to: UInt8.self), pair.right, format, set,
            AlignedMemory.init(zeroed:)))
        let scaling = format.scaling(positions: positions, sumBound: matrix.sumBound)
        let left = unsafe input + pair.left * nest.rowCount * nest.depth
        unsafe rows.locate(
          0..<nest.rowCount, input: left, padding: left, pointers: parts.pointers,
          spill: parts.spill)
        unsafe set.byte.gemm(
          ByteGemmTask(
            rows: UnsafePointer(parts.pointers), rowPitch: nest.rowCount,
            rowCount: nest.rowCount, tapCount: 1, depth: nest.depth,
            activationFlip: format.activations.flip, weights: matrix.panels(from: 0),
            columnCount: nest.columnCount,
            finish: scaling.finish(),
            output: output + block * nest.rowCount * nest.columnCount,
            outputStride: nest.columnCount, scratch: parts.tile))
      }
    }
  }
}
