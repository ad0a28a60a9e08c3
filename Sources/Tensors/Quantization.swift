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
public struct Quantization: Sendable, Hashable {
  /// One scale for the tensor, or one for each slice along `axis`.
  public let scales: [Float]
  /// As many zero points as scales.
  public let zeroPoints: [Int64]
  /// The axis that per-channel parameters belong to (the schema's `quantized_dimension`).
  public let axis: Int

  /// Quantization by these parameters; `zeroPoints` may be empty (all zero) or hold one for all.
  public init(scales: [Float], zeroPoints: [Int64] = [], axis: Int = 0) {
    self.scales = scales
    self.axis = axis
    switch zeroPoints.count {
    case scales.count: self.zeroPoints = zeroPoints
    case 1: self.zeroPoints = Array(repeating: zeroPoints[0], count: scales.count)
    default: self.zeroPoints = Array(repeating: 0, count: scales.count)
    }
  }

  /// Per-tensor quantization.
  public init(scale: Float, zeroPoint: Int64 = 0) {
    self.init(scales: [scale], zeroPoints: [zeroPoint])
  }

  /// Whether slices along `axis` have parameters of their own.
  public var isPerChannel: Bool { scales.count > 1 }

  /// The per-tensor mapping; nil where slices differ or the zero point is no 32-bit number.
  public var perTensor: Affine? {
    guard scales.count == 1, let zeroPoint = Int32(exactly: zeroPoints[0]) else { return nil }
    return Affine(scale: scales[0], zeroPoint: zeroPoint)
  }
}
