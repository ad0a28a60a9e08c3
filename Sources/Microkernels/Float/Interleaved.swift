// SPDX-License-Identifier: Apache-2.0

/// Several vectors of a level side by side.
///
/// A function is a long chain of operations that wait for each other. A processor finds work for the
/// meantime in the next vector only as far as it looks ahead, which is little more than one chain;
/// here, each operation is followed by the same one of the other vectors.
@usableFromInline
package enum Interleaved<Level: FloatArithmetic, let count: Int>: FloatArithmetic {
  @usableFromInline package typealias Vector = InlineArray<count, Level.Vector>

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func broadcast(_ value: Float) -> Vector {
    Vector(repeating: Level.broadcast(value))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func multiplyAdd(_ sum: Vector, _ left: Vector, _ right: Vector) -> Vector {
    Vector { Level.multiplyAdd(sum[$0], left[$0], right[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func clamp(_ value: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
    Vector { Level.clamp(value[$0], lowest[$0], highest[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func add(_ left: Vector, _ right: Vector) -> Vector {
    Vector { Level.add(left[$0], right[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func subtract(_ left: Vector, _ right: Vector) -> Vector {
    Vector { Level.subtract(left[$0], right[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func multiply(_ left: Vector, _ right: Vector) -> Vector {
    Vector { Level.multiply(left[$0], right[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func divide(_ left: Vector, _ right: Vector) -> Vector {
    Vector { Level.divide(left[$0], right[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func squareRoot(_ value: Vector) -> Vector {
    Vector { Level.squareRoot(value[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func flipSign(_ value: Vector, whereNegative sign: Vector) -> Vector {
    Vector { Level.flipSign(value[$0], whereNegative: sign[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func negativeMagnitude(_ x: Vector) -> Vector {
    Vector { Level.negativeMagnitude(x[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func maximum(_ left: Vector, _ right: Vector) -> Vector {
    Vector { Level.maximum(left[$0], right[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func minimum(_ left: Vector, _ right: Vector) -> Vector {
    Vector { Level.minimum(left[$0], right[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func select(
    _ left: Vector, lessThan right: Vector, _ then: Vector, else otherwise: Vector
  ) -> Vector {
    Vector { Level.select(left[$0], lessThan: right[$0], then[$0], else: otherwise[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func select(
    whereNegative sign: Vector, _ then: Vector, else otherwise: Vector
  ) -> Vector {
    Vector { Level.select(whereNegative: sign[$0], then[$0], else: otherwise[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func parts(of x: Vector) -> (fraction: Vector, exponent: Vector) {
    var (fraction, exponent) = (x, x)
    for index in x.indices {
      (fraction[index], exponent[index]) = Level.parts(of: x[index])
    }
    return (fraction, exponent)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func scale(_ value: Vector, byPowerOfTwo n: Vector) -> Vector {
    Vector { Level.scale(value[$0], byPowerOfTwo: n[$0]) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func powerOfTwo(shifted: Vector) -> Vector {
    Vector { Level.powerOfTwo(shifted: shifted[$0]) }
  }
}
