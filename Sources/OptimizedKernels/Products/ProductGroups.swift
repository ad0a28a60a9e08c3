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
  /// Rows of each: the terms of a sum.
  let depth: Int
  /// Whether rows, not columns, are behind each other in the model.
  private var storesRows = false

  /// The filter of a convolution; nil where its groups are too narrow for whole vectors.
  init?(_ nest: Conv2DNest, panelWidth: Int) {
    count = nest.inputDepth / nest.groupDepth
    columnCount = nest.filtersPerGroup
    depth = nest.geometry.rows.window * nest.geometry.columns.window * nest.groupDepth
    guard count == 1 || columnCount * 4 >= panelWidth else { return nil }
  }

  /// The filter of a depthwise convolution, a matrix where it has one channel.
  init(_ nest: DepthwiseConv2DNest) {
    count = 1
    columnCount = nest.outputDepth
    depth = nest.geometry.rows.window * nest.geometry.columns.window
    storesRows = true
  }

  /// The weights of a fully connected layer.
  init(_ nest: FullyConnectedNest) {
    count = 1
    columnCount = nest.outputDepth
    depth = nest.inputCount
  }

  /// Weights in all.
  var weightCount: Int { count * columnCount * depth }
  /// Columns of all groups.
  var columnTotal: Int { count * columnCount }

  private var columnStride: Int { storesRows ? 1 : depth }
  private var depthStride: Int { storesRows ? columnCount : 1 }

  private func form(_ kind: String) -> String {
    "\(kind) product, \(count) × \(columnCount) × \(depth)\(storesRows ? " in rows" : "")"
  }

  /// Float weights, packed.
  func packed(
    _ weights: ConstantWeights, in cache: WeightCache, for set: MicrokernelSet
  ) -> PackedWeights<[PackedFloatMatrix]> {
    weights.packed(in: cache, form: form("float \(set)")) { allocate in
      (0..<count).map { group in
        let first = group * columnCount
        let source = unsafe FloatMatrixSource(
          weights: weights.filterAddress(as: Float.self) + first * depth,
          columnStride: columnStride, depthStride: depthStride, columnCount: columnCount,
          depth: depth,
          bias: weights.biasAddress(as: Float.self).map { unsafe $0 + first })
        return unsafe PackedFloatMatrix(source, set.float.layout, allocate: allocate)
      }
    }
  }

  /// The least and the greatest sum of a column, of all groups', over any 8-bit activations.
  func sumRange(
    ofColumn column: Int, _ weights: ConstantWeights, _ format: ByteFormat
  ) -> ClosedRange<Int64> {
    let filter = unsafe weights.filterAddress(as: UInt8.self) + column * columnStride
    var (positive, negative) = (0 as Int64, 0 as Int64)
    for k in 0..<depth {
      let byte = unsafe filter[k * depthStride]
      let value = format.filterIsSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)
      let weight = Int64(value - format.filterZeroPoint)
      if weight > 0 { positive += weight } else { negative += weight }
    }
    let bias = unsafe weights.biasAddress(as: Int32.self).map { unsafe Int64($0[column]) } ?? 0
    let least = Int64(0 - format.activations.unsignedZeroPoint)
    let greatest = least + 255
    return bias + positive * least + negative * greatest...bias + positive * greatest + negative
      * least
  }

  /// 8-bit weights, packed.
  func packed(
    _ weights: ConstantWeights, _ format: ByteFormat, in cache: WeightCache,
    for set: MicrokernelSet
  ) -> ByteProduct.Matrices {
    let zeroPoints = "\(format.activations.unsignedZeroPoint) and \(format.filterZeroPoint)"
    let kind = "byte \(set), signed \(format.filterIsSigned), zero \(zeroPoints)"
    return weights.packed(in: cache, form: form(kind)) { allocate in
      (0..<count).map { group in
        let first = group * columnCount
        let source = unsafe ByteMatrixSource(
          weights: weights.filterAddress(as: UInt8.self) + first * depth,
          isSigned: format.filterIsSigned, zeroPoint: format.filterZeroPoint,
          columnStride: columnStride, depthStride: depthStride, columnCount: columnCount,
          depth: depth,
          bias: weights.biasAddress(as: Int32.self).map { unsafe $0 + first },
          activationZeroPoint: format.activations.unsignedZeroPoint)
        return unsafe PackedByteMatrix(source, set.byte.layout, allocate: allocate)
      }
    }
  }
}
