// SPDX-License-Identifier: Apache-2.0

/// A run of floats that become quantized values, or of quantized values that become floats.
@unsafe
@frozen
@usableFromInline
package struct ByteConversion {
  /// The operands.
  @usableFromInline package var input: UnsafeRawPointer
  /// Where the results go.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Elements.
  @usableFromInline package var count: Int
  /// The quantized values' scale.
  @usableFromInline package var scale: Float
  /// The quantized values' zero point.
  @usableFromInline package var zeroPoint: Int32
  /// Whether quantized values are `Int8` rather than `UInt8`.
  @usableFromInline package var isSigned: Bool

  /// A run of these parts.
  package init(
    input: UnsafeRawPointer, output: UnsafeMutableRawPointer, count: Int, scale: Float,
    zeroPoint: Int32, isSigned: Bool
  ) {
    unsafe self.input = input
    unsafe self.output = output
    unsafe self.count = count
    unsafe self.scale = scale
    unsafe self.zeroPoint = zeroPoint
    unsafe self.isSigned = isSigned
  }
}

/// The largest float below ½: adding it and truncating rounds half away from zero, where ½ itself
/// would lift 0.49999997 to 1.
@_alwaysEmitIntoClient
@inline(__always)
package var nearlyHalf: Float { 0x1.fffffep-2 }

/// Turns floats from `start` on into quantized values, one by one.
///
/// Quotients that are NaN or beyond 32 bits count as −2^31, as x86's conversion gives.
@usableFromInline
package func quantizeBytes(_ run: ByteConversion, from start: Int) {
  let (lowest, highest): (Int32, Int32) = unsafe run.isSigned ? (-128, 127) : (0, 255)
  for index in unsafe start..<run.count {
    let value = unsafe run.input.loadUnaligned(fromByteOffset: index &* 4, as: Float.self)
    let quotient = unsafe value / run.scale
    let moved = quotient + Float(signOf: quotient, magnitudeOf: nearlyHalf)
    let steps = moved >= -0x1p31 && moved < 0x1p31 ? Int32(moved) : .min
    let quantized = unsafe min(max(steps &+ run.zeroPoint, lowest), highest)
    unsafe run.output.storeBytes(
      of: UInt8(truncatingIfNeeded: quantized), toByteOffset: index, as: UInt8.self)
  }
}

/// Turns quantized values from `start` on into floats, one by one.
@usableFromInline
package func dequantizeBytes(_ run: ByteConversion, from start: Int) {
  for index in unsafe start..<run.count {
    let byte = unsafe run.input.load(fromByteOffset: index, as: UInt8.self)
    let quantized = unsafe run.isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)
    unsafe run.output.storeBytes(
      of: run.scale * Float(quantized &- run.zeroPoint), toByteOffset: index &* 4, as: Float.self)
  }
}

/// Conversions between floats and bytes.
@usableFromInline
package protocol ByteConversionInstructions: ByteLaneInstructions {
  /// Vectors with a float for each 32-bit lane.
  associatedtype FloatVector: BitwiseCopyable

  /// Floats truncated to signed 32-bit lanes; −2^31 for NaN and for what does not fit.
  static func truncate(_ value: FloatVector) -> Vector

  /// Signed 32-bit lanes as floats.
  static func convert(_ lanes: Vector) -> FloatVector

  /// The products of 32-bit lanes, wrapping.
  static func multiplyLanes(_ left: Vector, _ right: Vector) -> Vector

  /// Signed 32-bit lanes limited to an interval.
  static func clampLanes(_ lanes: Vector, _ lowest: Vector, _ highest: Vector) -> Vector

  /// A byte for each 32-bit lane, with the bits of `flip` inverted, then widened with its sign.
  static func loadLanes(_ pointer: UnsafeRawPointer, flip: Int8) -> Vector

  /// A vector of 32-bit sums times as many factors of double precision, rounded half away from
  /// zero; −2^31 for NaN and for what does not fit.
  static func roundedProducts(
    _ sums: UnsafeRawPointer, _ factors: UnsafeRawPointer
  ) -> Vector

  /// Writes the lowest byte of each 32-bit lane, at most 16.
  static func storeLowBytes(_ lanes: Vector, to pointer: UnsafeMutableRawPointer)
}

/// Turns floats into quantized values one by one, where the level has no conversions.
@_alwaysEmitIntoClient
@inline(__always)
package func quantizeBytes<F: FloatInstructions, B: ByteInstructions>(
  _ run: ByteConversion, _: F.Type, _: B.Type
) {
  unsafe quantizeBytes(run, from: 0)
}

/// Turns floats into quantized values, a vector at a time.
@_alwaysEmitIntoClient
@inline(__always)
package func quantizeBytes<F: FloatInstructions, B: ByteConversionInstructions>(
  _ run: ByteConversion, _: F.Type, _: B.Type
) where F.Vector == B.FloatVector {
  let scale = F.broadcast(unsafe run.scale)
  let half = F.broadcast(nearlyHalf)
  let zeroPoint = B.broadcast(unsafe run.zeroPoint)
  let lowest = B.broadcast(unsafe run.isSigned ? -128 : 0)
  let highest = B.broadcast(unsafe run.isSigned ? 127 : 255)
  var start = 0
  while unsafe start &+ F.laneCount <= run.count {
    let values = unsafe (run.input + start &* 4).loadUnaligned(as: F.Vector.self)
    let quotients = F.divide(values, scale)
    let steps = B.truncate(F.add(quotients, F.flipSign(half, whereNegative: quotients)))
    let quantized = B.clampLanes(B.add(steps, zeroPoint), lowest, highest)
    unsafe B.storeLowBytes(quantized, to: run.output + start)
    start &+= F.laneCount
  }
  unsafe quantizeBytes(run, from: start)
}

/// Turns quantized values into floats one by one, where the level has no conversions.
@_alwaysEmitIntoClient
@inline(__always)
package func dequantizeBytes<F: FloatInstructions, B: ByteInstructions>(
  _ run: ByteConversion, _: F.Type, _: B.Type
) {
  unsafe dequantizeBytes(run, from: 0)
}

/// Turns quantized values into floats, a vector at a time.
@_alwaysEmitIntoClient
@inline(__always)
package func dequantizeBytes<F: FloatInstructions, B: ByteConversionInstructions>(
  _ run: ByteConversion, _: F.Type, _: B.Type
) where F.Vector == B.FloatVector {
  let scale = F.broadcast(unsafe run.scale)
  // Unsigned bytes become signed ones, 128 lower.
  let flip: Int8 = unsafe run.isSigned ? 0 : -128
  let zeroPoint = B.broadcast(unsafe run.zeroPoint &- (run.isSigned ? 0 : 128))
  var start = 0
  while unsafe start &+ F.laneCount <= run.count {
    let lanes = unsafe B.loadLanes(run.input + start, flip: flip)
    let steps = B.convert(B.subtract(lanes, zeroPoint))
    unsafe run.output.storeBytes(
      of: F.multiply(steps, scale), toByteOffset: start &* 4, as: F.Vector.self)
    start &+= F.laneCount
  }
  unsafe dequantizeBytes(run, from: start)
}
