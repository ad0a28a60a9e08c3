// SPDX-License-Identifier: Apache-2.0

/// How stored integers stand for real numbers: `real = scale × (stored − zeroPoint)`.
public struct Affine: Sendable, Hashable {
  /// The real distance of neighboring quantized values.
  public let scale: Float
  /// The quantized value of real zero.
  public let zeroPoint: Int32

  /// The mapping with this scale and zero point.
  public init(scale: Float, zeroPoint: Int32) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }
}

/// A tensor's quantization parameters, per tensor, per channel or per block.
///
/// Most tensors have one scale, which takes no memory of its own, and no references to count in copies.
public struct Quantization: Sendable, Hashable {
  private enum Slices: Sendable, Hashable {
    case one(scale: Float, zeroPoint: Int64)
    /// Zero points of 0, as weights have them, are left out.
    case several(scales: [Float], zeroPoints: [Int64]?)
  }

  private let slices: Slices
  /// The axis that per-channel parameters belong to (the schema's `quantized_dimension`).
  public let axis: Int

  /// Quantization by these parameters; `zeroPoints` may be empty (all zero) or hold one for all.
  public init(scales: [Float], zeroPoints: [Int64] = [], axis: Int = 0) {
    let common = zeroPoints.count == 1 ? zeroPoints[0] : 0
    self.axis = axis
    if scales.count == 1 {
      slices = .one(scale: scales[0], zeroPoint: common)
    } else if zeroPoints.count == scales.count, !zeroPoints.allSatisfy({ $0 == 0 }) {
      slices = .several(scales: scales, zeroPoints: zeroPoints)
    } else {
      slices = .several(
        scales: scales,
        zeroPoints: common == 0 ? nil : Array(repeating: common, count: scales.count))
    }
  }

  /// Per-tensor quantization.
  public init(scale: Float, zeroPoint: Int64 = 0, axis: Int = 0) {
    slices = .one(scale: scale, zeroPoint: zeroPoint)
    self.axis = axis
  }

  /// One scale for the tensor, or one for each slice along `axis`.
  public var scales: [Float] {
    switch slices {
    case .one(let scale, _): [scale]
    case .several(let scales, _): scales
    }
  }

  /// As many zero points as scales.
  public var zeroPoints: [Int64] {
    switch slices {
    case .one(_, let zeroPoint): [zeroPoint]
    case .several(let scales, let zeroPoints):
      zeroPoints ?? Array(repeating: 0, count: scales.count)
    }
  }

  /// Whether all zero points are 0.
  package var isSymmetric: Bool {
    switch slices {
    case .one(_, let zeroPoint): zeroPoint == 0
    case .several(_, let zeroPoints): zeroPoints == nil
    }
  }

  /// The number of scales.
  public var scaleCount: Int {
    switch slices {
    case .one: 1
    case .several(let scales, _): scales.count
    }
  }

  /// The scale and zero point of a slice along `axis`, of which a tensor with one scale has one; nil
  /// where there are fewer.
  package func slice(_ index: Int) -> (scale: Float, zeroPoint: Int64)? {
    switch slices {
    case .one(let scale, let zeroPoint):
      index == 0 ? (scale, zeroPoint) : nil
    case .several(let scales, let zeroPoints):
      scales.indices.contains(index) ? (scales[index], zeroPoints?[index] ?? 0) : nil
    }
  }

  /// Whether slices along `axis` have parameters of their own.
  public var isPerChannel: Bool { scaleCount > 1 }

  /// The per-tensor mapping; nil where slices differ or the zero point is no 32-bit number.
  public var perTensor: Affine? {
    guard case .one(let scale, let zeroPoint) = slices, let zeroPoint = Int32(exactly: zeroPoint)
    else { return nil }
    return Affine(scale: scale, zeroPoint: zeroPoint)
  }
}
