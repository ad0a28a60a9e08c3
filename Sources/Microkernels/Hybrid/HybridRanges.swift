// SPDX-License-Identifier: Apache-2.0

/// What the quantized values `q` of an image of floats stand for: `scale · (q − zeroPoint)`.
@frozen
@usableFromInline
package struct HybridAffine: Sendable {
  /// The distance of neighboring quantized values.
  @usableFromInline package var scale: Float
  /// The quantized value of 0.
  @usableFromInline package var zeroPoint: Int32

  /// The mapping with this scale and zero point.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init(scale: Float, zeroPoint: Int32) {
    self.scale = scale
    self.zeroPoint = zeroPoint
  }
}

/// The ranges of up to eight images of floats, and what follows from them.
@frozen
@usableFromInline
package struct HybridRanges {
  /// The least of each image's floats and 0.
  @usableFromInline package var lowest = InlineArray<8, Float>(repeating: 0)
  /// The greatest of each image's floats and 0.
  @usableFromInline package var highest = InlineArray<8, Float>(repeating: 0)
  /// The scale of each.
  @usableFromInline package var scales = InlineArray<8, Float>(repeating: 0)
  /// The zero point of each.
  @usableFromInline package var zeroPoints = InlineArray<8, Int32>(repeating: 0)

  /// Ranges of nothing but 0.
  package init() {}

  /// Images.
  package static var capacity: Int { 8 }
}

/// Scales and zero points for ranges that are widened to contain 0, by a loop without branches; those
/// of a range of nothing but 0 mean nothing.
///
///     s = range / 255,  z = −128 − lowest / s  or  127 − highest / s
///
/// Numbers are those of the reference kernels' `HybridQuantization.asymmetric`, with the same order of
/// operations in double precision.
@_alwaysEmitIntoClient
@inline(__always)
package func quantizeRanges(_ ranges: UnsafeMutablePointer<HybridRanges>, count: Int) {
  let base = UnsafeMutableRawPointer(ranges)
  let bytes = MemoryLayout<InlineArray<8, Float>>.size
  // Numbers of less than 2⁵¹ that are added to this, or of less than 2²² to the other, become whole.
  let (offset, floatOffset) = (0x1p52, Float(0x1.8p23))
  for index in 0..<count {
    let place = unsafe base + index &* 4
    let lowest = unsafe place.load(as: Float.self)
    let highest = unsafe place.load(fromByteOffset: bytes, as: Float.self)
    let scale = Double(highest - lowest) / 255
    let (low, high) = (Double(lowest) / scale, Double(highest) / scale)
    let exact = 128 + low.magnitude < 127 + high.magnitude ? -128 - low : 127 - high
    // Half a step would round what is just below it up.
    let size = exact.magnitude + 0.5.nextDown
    let nearest = (size + offset) - offset
    let whole = nearest > size ? nearest - 1 : nearest
    let rounded = Float(exact < 0 ? -whole : whole)
    // NaN compares false and becomes the least zero point.
    let raised: Float = rounded > -128 ? rounded : -128
    let zeroPoint: Float = raised < 127 ? raised : 127
    let byte = Int8(truncatingIfNeeded: (zeroPoint + floatOffset).bitPattern)
    unsafe place.storeBytes(of: Float(scale), toByteOffset: 2 &* bytes, as: Float.self)
    unsafe place.storeBytes(of: Int32(byte), toByteOffset: 3 &* bytes, as: Int32.self)
  }
}
