// SPDX-License-Identifier: Apache-2.0

/// A run of floats that become codes, or of codes that become floats.
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
  /// The codes' scale.
  @usableFromInline package var scale: Float
  /// The codes' zero point.
  @usableFromInline package var zeroPoint: Int32
  /// Whether codes are `Int8` rather than `UInt8`.
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
@inlinable
@inline(__always)
package var nearlyHalf: Float { 0x1.fffffep-2 }

/// Turns floats from `start` on into codes, one by one.
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
    let code = unsafe min(max(steps &+ run.zeroPoint, lowest), highest)
    unsafe run.output.storeBytes(
      of: UInt8(truncatingIfNeeded: code), toByteOffset: index, as: UInt8.self)
  }
}

/// Turns codes from `start` on into floats, one by one.
@usableFromInline
package func dequantizeBytes(_ run: ByteConversion, from start: Int) {
  for index in unsafe start..<run.count {
    let byte = unsafe run.input.load(fromByteOffset: index, as: UInt8.self)
    let code = unsafe run.isSigned ? Int32(Int8(bitPattern: byte)) : Int32(byte)
    unsafe run.output.storeBytes(
      of: run.scale * Float(code &- run.zeroPoint), toByteOffset: index &* 4, as: Float.self)
  }
}

/// Turns floats into codes, one by one.
package func quantizeBytes(_ run: ByteConversion) { unsafe quantizeBytes(run, from: 0) }

/// Turns codes into floats, one by one.
package func dequantizeBytes(_ run: ByteConversion) { unsafe dequantizeBytes(run, from: 0) }
