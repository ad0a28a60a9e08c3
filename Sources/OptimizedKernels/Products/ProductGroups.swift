// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The right operand of a product as a model stores it: each column's weights behind each other.
///
/// A convolution with groups has a matrix for each.
struct ProductGroups {
  /// Matrices.
  let count: Int
  /// Columns of each.
  let columnCount: Int
  /// Weights that the model has for each column.
  private let filterDepth: Int
  /// Which of them are the matrix; nil for all.
  private let taps: FilterTaps?
  /// Whether rows, not columns, are behind each other in the model.
  private let storesRows: Bool

  /// The filter of a convolution, or those `taps` of it.
  init(_ nest: Conv2DNest, taps: FilterTaps? = nil) {
    count = nest.groupCount
    columnCount = nest.filtersPerGroup
    filterDepth = nest.geometry.rows.window * nest.geometry.columns.window * nest.groupDepth
    self.taps = taps?.isWhole == false ? taps : nil
    storesRows = false
  }

  /// The filter of a depthwise convolution, a matrix where it has one channel, or those `taps` of it.
  init(_ nest: DepthwiseConv2DNest, taps: FilterTaps? = nil) {
    count = 1
    columnCount = nest.outputDepth
    filterDepth = nest.geometry.rows.window * nest.geometry.columns.window
    self.taps = taps?.isWhole == false ? taps : nil
    storesRows = true
  }

  /// The filter of a convolution over volumes.
  init(_ nest: Conv3DNest) {
    count = 1
    columnCount = nest.outputDepth
    filterDepth = nest.geometry.windowCount * nest.inputDepth
    taps = nil
    storesRows = true
  }

  /// The weights of a fully connected layer.
  init(_ nest: FullyConnectedNest) {
    self.init(columnCount: nest.outputDepth, depth: nest.inputCount)
  }

  /// A single matrix, whose rows, not columns, are behind each other if it `storesRows`.
  init(columnCount: Int, depth: Int, storesRows: Bool = false) {
    count = 1
    self.columnCount = columnCount
    filterDepth = depth
    taps = nil
    self.storesRows = storesRows
  }

  /// Weights that the model has in all.
  var weightCount: Int { count * columnCount * filterDepth }
  /// Columns of all groups.
  var columnTotal: Int { count * columnCount }

  /// Rows of each matrix: the terms of a sum.
  private var depth: Int { taps?.depth ?? filterDepth }
  private var columnStride: Int { storesRows ? 1 : filterDepth }
  private var depthStride: Int { storesRows ? columnCount : 1 }

  private func form(_ kind: String, _ set: MicrokernelSet, _ parameters: [Int] = []) -> WeightForm {
    WeightForm(kind, set, [count, columnCount, depth, storesRows ? 1 : 0])
      .adding(parameters).adding(taps?.parameters ?? [])
  }

  /// Calls `body` with the first weight of a group's matrix, and the distances from one column and
  /// from one row to the next.
  private func withMatrix<Weight: BitwiseCopyable, Result>(
    _ filter: UnsafePointer<Weight>, group: Int, filler: Weight,
    _ body: (UnsafePointer<Weight>, _ columnStride: Int, _ depthStride: Int) -> Result
  ) -> Result {
    let first = unsafe filter + group * columnCount * filterDepth
    guard let taps else { return unsafe body(first, columnStride, depthStride) }
    let matrix = unsafe taps.arranged(
      first, count: columnCount, columnStride: columnStride, depthStride: depthStride,
      filler: filler)
    return unsafe matrix.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return unsafe body(first, 0, 0) }
      return unsafe body(base, depth, 1)
    }
  }

  /// Float weights, packed.
  func packed(
    _ weights: ConstantWeights, in cache: WeightCache, for set: MicrokernelSet
  ) -> PackedWeights<[PackedFloatMatrix]> {
    weights.packed(in: cache, form: form("float product", set)) { allocate in
      (0..<count).map { group in
        let bias = unsafe weights.biasAddress(as: Float.self).map {
          unsafe $0 + group * columnCount
        }
        return unsafe withMatrix(weights.filterAddress(as: Float.self), group: group, filler: 0) {
          let source = unsafe FloatMatrixSource(
            weights: $0, columnStride: $1, depthStride: $2, columnCount: columnCount,
            depth: depth, bias: bias)
          return unsafe PackedFloatMatrix(source, set.float.layout, allocate: allocate)
        }
      }
    }
  }

  /// How the sums of each group's columns become quantized values.
  func scalings(
    of matrices: ByteProduct.Matrices, _ weights: ConstantWeights, _ format: ByteFormat,
    _ layout: ByteGemmLayout
  ) -> [ByteScaling] {
    let positions = layout.positions(columnCount: columnCount)
    let sumRange = sumRange(weights, format)
    return matrices.value.enumerated().map { group, matrix in
      format.scaling(
        from: group * columnCount, positions: positions, sumBound: matrix.sumBound,
        sumRange: sumRange)
    }
  }

  /// The ranges of the sums of columns, counted through all groups.
  func sumRange(_ weights: ConstantWeights, _ format: ByteFormat) -> ByteSumRange {
    { column, readsWeights in
      let bias = unsafe weights.biasAddress(as: Int32.self).map { unsafe Int64($0[column]) } ?? 0
      let term = greatestTerm(isSigned: format.filterIsSigned, zeroPoint: format.filterZeroPoint)
      guard !readsWeights, let term else {
        return sumRange(ofColumn: column, bias: bias, weights, format)
      }
      let bound = term * Int64(filterDepth)
      return bias - bound...bias + bound
    }
  }

  private func sumRange(
    ofColumn column: Int, bias: Int64, _ weights: ConstantWeights, _ format: ByteFormat
  ) -> ClosedRange<Int64> {
    let filter = unsafe weights.filterAddress(as: UInt8.self) + column * columnStride
    // Read as signed numbers, which are less by as much as their zero point is.
    let (flip, offset) = format.filterIsSigned ? (0 as UInt8, 0 as Int32) : (128, 128)
    let zeroPoint = format.filterZeroPoint - offset
    var (positive, negative) = (0 as Int64, 0 as Int64)
    for first in stride(from: 0, to: filterDepth, by: Self.termsOfSum) {
      let weights = unsafe filter + first &* depthStride
      let count = min(Self.termsOfSum, filterDepth - first)
      // With a stride that the compiler knows it takes several weights at once.
      let sums =
        depthStride == 1
        ? unsafe Self.sums(weights, count, stride: 1, flip, zeroPoint)
        : unsafe Self.sums(weights, count, stride: depthStride, flip, zeroPoint)
      positive += Int64(sums.positive)
      negative += Int64(sums.negative)
    }
    let least = Int64(0 - format.activations.unsignedZeroPoint)
    let greatest = least + 255
    return bias + positive * least + negative * greatest...bias + positive * greatest + negative
      * least
  }

  /// Terms whose sum 32 bits hold for certain: each is below 1024.
  private static let termsOfSum = 1 << 20

  /// The sums of the positive and of the negative ones of `count` weights less their zero point.
  @inline(__always)
  private static func sums(
    _ weights: UnsafePointer<UInt8>, _ count: Int, stride: Int, _ flip: UInt8, _ zeroPoint: Int32
  ) -> (positive: Int32, negative: Int32) {
    var (positive, sum) = (0 as Int32, 0 as Int32)
    for k in 0..<count {
      let byte = unsafe weights[k &* stride] ^ flip
      let weight = Int32(Int8(bitPattern: byte)) &- zeroPoint
      positive &+= max(weight, 0)
      sum &+= weight
    }
    return (positive, sum &- positive)
  }

  /// 8-bit weights, packed, each group's in compact form where it has more than `compactCount`.
  func packed(
    _ weights: ConstantWeights, _ packing: BytePacking, compactCount: Int = .max,
    in cache: WeightCache, for set: MicrokernelSet
  ) -> ByteProduct.Matrices {
    let form = form("byte product", set, [compactCount] + packing.parameters)
    return weights.packed(in: cache, form: form) { allocate in
      (0..<count).map { group in
        let biases = packing.hasBias ? unsafe weights.biasAddress(as: Int32.self) : nil
        let bias = unsafe biases.map { unsafe $0 + group * columnCount }
        return unsafe withMatrix(
          weights.filterAddress(as: UInt8.self), group: group,
          filler: UInt8(truncatingIfNeeded: packing.filterZeroPoint)
        ) {
          let source = unsafe ByteMatrixSource(
            weights: $0, isSigned: packing.filterIsSigned, zeroPoint: packing.filterZeroPoint,
            columnStride: $1, depthStride: $2, columnCount: columnCount, depth: depth,
            bias: bias, activationZeroPoint: packing.activationZeroPoint)
          return unsafe PackedByteMatrix(
            source, set.byte.layout, compactCount: compactCount,
            allocate: allocate)
        }
      }
    }
  }
}
