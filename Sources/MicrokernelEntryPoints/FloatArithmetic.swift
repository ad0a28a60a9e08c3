// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  /// What Swift's own vectors do alike at every level.
  extension FloatPrimitives {
    @inline(__always)
    static func broadcast(_ value: Float) -> Vector { Vector(repeating: value) }

    @inline(__always)
    static func add(_ left: Vector, _ right: Vector) -> Vector { left + right }

    @inline(__always)
    static func subtract(_ left: Vector, _ right: Vector) -> Vector { left - right }

    @inline(__always)
    static func multiply(_ left: Vector, _ right: Vector) -> Vector { left * right }

    @inline(__always)
    static func divide(_ left: Vector, _ right: Vector) -> Vector { left / right }

    @inline(__always)
    static func select(
      _ left: Vector, lessThan right: Vector, _ then: Vector, else otherwise: Vector
    ) -> Vector {
      otherwise.replacing(with: then, where: left .< right)
    }
  }
#endif
