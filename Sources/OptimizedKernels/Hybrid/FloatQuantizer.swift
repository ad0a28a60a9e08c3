// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Values whose quantized values are computed together, counted from an image's first.
private let blockLength = 8

/// What `HybridQuantization` does to floats, by vectors; the same quantized values and parameters.
@unsafe
struct FloatQuantizer {
  private var values: UnsafePointer<Float>
  private let count: Int
  private var quantizedValues: UnsafeMutablePointer<Int8>
  private let kernels: HybridMicrokernels

  /// The quantization of `count` values into `quantizedValues`.
  init(
    _ values: UnsafePointer<Float>, count: Int, quantizedValues: UnsafeMutablePointer<Int8>,
    _ kernels: HybridMicrokernels
  ) {
    unsafe self.values = values
    unsafe self.count = count
    unsafe self.quantizedValues = quantizedValues
    unsafe self.kernels = kernels
  }

  /// Moves on to the values that follow, of another image.
  mutating func moveOn() {
    unsafe values += count
    unsafe quantizedValues += count
  }

  /// Quantizes the values; returns what the quantized values stand for.
  func run(_ kind: HybridQuantization) -> Affine {
    let range = unsafe QuantizedRange(kind, limits(of: 0..<count))
    unsafe quantize(0..<count, range)
    return range.affine
  }

  /// Quantizes the values of `count` images, at most `HybridRanges.capacity`, by
  /// `HybridQuantization.asymmetric`, and moves on to the image that follows; `body` is told what the
  /// quantized values of each stand for.
  mutating func runAsymmetrically(_ imageCount: Int, _ body: (Int, HybridAffine) -> Void) {
    var ranges = HybridRanges()
    for image in 0..<imageCount {
      let first = unsafe image * count
      let limits = unsafe limits(of: first..<first + count)
      (ranges.lowest[image], ranges.highest[image]) = (limits.lowest, limits.highest)
    }
    unsafe kernels.quantize(&ranges, count: imageCount)
    for image in 0..<imageCount {
      let limits = FloatLimits(lowest: ranges.lowest[image], highest: ranges.highest[image])
      let affine = Affine(scale: ranges.scales[image], zeroPoint: ranges.zeroPoints[image])
      let range = QuantizedRange(asymmetric: affine, limits)
      unsafe quantize(0..<count, range)
      body(image, HybridAffine(range.affine))
      unsafe moveOn()
    }
  }

  /// The values of one of `partCount` parts, of about equal lengths.
  func part(_ part: Int, of partCount: Int) -> Range<Int> {
    let count = unsafe count
    let blocks = share(part, of: partCount, count / blockLength)
    let end = part == partCount - 1 ? count : blocks.upperBound * blockLength
    return blocks.lowerBound * blockLength..<end
  }

  /// The least and the greatest of zero and a part of the values.
  func limits(of part: Range<Int>) -> FloatLimits {
    let (lowest, highest) = unsafe kernels.limits(of: values + part.lowerBound, count: part.count)
    return FloatLimits(lowest: lowest, highest: highest)
  }

  /// Quantizes a part of the values: blocks, and what fills none, by the rule for each.
  func quantize(_ part: Range<Int>, _ range: QuantizedRange) {
    guard let factor = range.factor else {
      return unsafe (quantizedValues + part.lowerBound).update(repeating: 0, count: part.count)
    }
    let blocks = part.count / blockLength * blockLength
    unsafe kernels.quantize(
      HybridConversion(
        values: values + part.lowerBound, quantizedValues: quantizedValues + part.lowerBound,
        count: blocks, factor: factor, zeroPoint: range.affine.zeroPoint, least: range.least))
    for index in part.dropFirst(blocks) {
      unsafe quantizedValues[index] = HybridQuantization.quantized(
        values[index], factor: factor, Float(range.affine.zeroPoint), least: Float(range.least))
    }
  }
}

/// The least and the greatest of zero and some floats; NaN does not count.
struct FloatLimits {
  var lowest: Float = 0
  var highest: Float = 0

  /// Takes in those of other floats.
  mutating func formUnion(_ other: FloatLimits) {
    lowest = min(lowest, other.lowest)
    highest = max(highest, other.highest)
  }
}

/// How floats between two limits are quantized.
struct QuantizedRange {
  /// What the quantized values stand for.
  let affine: Affine
  /// What floats are multiplied with; nil where all quantized values are zero.
  let factor: Float?
  /// The least quantized value.
  let least: Int32

  /// The rule of `kind` for floats between `limits`.
  init(_ kind: HybridQuantization, _ limits: FloatLimits) {
    guard limits.lowest != limits.highest else {
      self = .onlyZeros
      return
    }
    switch kind {
    case .symmetric:
      let range = max(-limits.lowest, limits.highest)
      self.init(
        affine: Affine(scale: range / 127, zeroPoint: 0), factor: 127 / range, least: -127)
    case .asymmetric:
      self.init(
        asymmetric: HybridQuantization.asymmetric(limits.lowest, limits.highest), limits)
    }
  }

  /// The rule of `HybridQuantization.asymmetric`, for floats between limits from which `affine`
  /// follows.
  init(asymmetric affine: Affine, _ limits: FloatLimits) {
    guard limits.lowest != limits.highest else {
      self = .onlyZeros
      return
    }
    self.init(affine: affine, factor: 1 / affine.scale, least: -128)
  }

  private init(affine: Affine, factor: Float?, least: Int32) {
    (self.affine, self.factor, self.least) = (affine, factor, least)
  }

  /// What quantizes nothing but zeros.
  private static var onlyZeros: QuantizedRange {
    QuantizedRange(affine: Affine(scale: 1, zeroPoint: 0), factor: nil, least: 0)
  }
}

extension HybridAffine {
  /// What kernels take for `affine`.
  init(_ affine: Affine) { self.init(scale: affine.scale, zeroPoint: affine.zeroPoint) }
}
