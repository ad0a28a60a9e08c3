// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  /// What Swift's own vectors do alike at every level.
  extension FloatPrimitives {
    @inline(__always)
    static func broadcast(_ value: Float) -> Vector { Vector(repeating: value) }

    @inline(__always)
    static func parts(of x: Vector) -> (fraction: Vector, exponent: Vector) {
      let bits = unsafe unsafeBitCast(x, to: Vector.MaskStorage.self)
      // The bits of √½; those of a float's exponent begin at the 23rd.
      let exponent = (bits &- 0x3F35_04F3) &>> 23
      // A whole number is the fraction of 1.5 · 2^23.
      let whole = unsafe unsafeBitCast(exponent &+ 0x4B40_0000, to: Vector.self)
      let fraction = unsafe unsafeBitCast(bits &- (exponent &<< 23), to: Vector.self)
      return (fraction, whole - 12_582_912)
    }
  }
#endif
