// SPDX-License-Identifier: Apache-2.0

/// Sines and cosines up to `limit`; the coefficients are those of Stephen Moshier's Cephes library
/// (`sinf`, `cosf`).
///
///     n = round(2x / π),  r = x − n π/2;  sin x is sin r, cos r, −sin r or −cos r by n modulo 4
///
/// `π/2` is split in three for an exact `r`.
@usableFromInline
package enum VectorTrigonometry<I: FloatArithmetic> {
  /// Sine and cosine of `r`, and `n` modulo 4, from −2 to 2, with its square.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func parts(
    of x: I.Vector
  ) -> (sine: I.Vector, cosine: I.Vector, turn: I.Vector, square: I.Vector) {
    // A sum with the shift has no fraction bits: it is rounded to nearest.
    let shift = I.broadcast(12_582_912)
    let n = I.subtract(I.multiplyAdd(shift, x, I.broadcast(0.636_619_772)), shift)
    var r = I.multiplyAdd(x, n, I.broadcast(-1.570_312_5))
    r = I.multiplyAdd(r, n, I.broadcast(-4.837_512_969_970_703e-4))
    r = I.multiplyAdd(r, n, I.broadcast(-7.549_789_954_891_882e-8))
    let whole = I.subtract(I.multiplyAdd(shift, n, I.broadcast(0.25)), shift)
    let turn = I.multiplyAdd(n, whole, I.broadcast(-4))
    let z = I.multiply(r, r)
    var s = I.multiplyAdd(I.broadcast(8.332_160_873_6e-3), z, I.broadcast(-1.951_529_589_1e-4))
    s = I.multiplyAdd(I.broadcast(-1.666_665_461_1e-1), z, s)
    let sine = I.multiplyAdd(r, I.multiply(z, r), s)
    var c = I.multiplyAdd(I.broadcast(-1.388_731_625e-3), z, I.broadcast(2.443_315_712e-5))
    c = I.multiplyAdd(I.broadcast(4.166_664_568e-2), z, c)
    let cosine = I.multiplyAdd(
      I.multiplyAdd(I.broadcast(1), z, I.broadcast(-0.5)), I.multiply(z, z), c)
    return (sine, cosine, turn, I.multiply(turn, turn))
  }

  /// `even` or its opposite where `n` is even, else `odd`; `square` is that of `n` modulo 4.
  @_alwaysEmitIntoClient
  @inline(__always)
  static func choose(_ square: I.Vector, even: I.Vector, odd: I.Vector) -> I.Vector {
    let sign = I.multiplyAdd(I.broadcast(1), square, I.broadcast(-0.5))
    let isOdd = I.subtract(I.broadcast(1), I.multiply(sign, sign))
    return I.select(I.broadcast(0.5), lessThan: isOdd, odd, else: I.multiply(even, sign))
  }
}

/// `sin x` up to `limit`, within 10⁻⁷.
@frozen
@usableFromInline
package enum VectorSine: VectorFunction {
  /// The greatest magnitude for which results are meant.
  package static let limit: Float = 8192

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let parts = VectorTrigonometry<I>.parts(of: x)
    return VectorTrigonometry<I>.choose(
      parts.square, even: parts.sine, odd: I.multiply(parts.cosine, parts.turn))
  }
}

/// `cos x` up to `VectorSine.limit`, within 10⁻⁷.
@frozen
@usableFromInline
package enum VectorCosine: VectorFunction {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func apply<I: FloatArithmetic>(_ x: I.Vector, _: I.Type) -> I.Vector {
    let parts = VectorTrigonometry<I>.parts(of: x)
    let negativeTurn = I.subtract(I.broadcast(0), parts.turn)
    return VectorTrigonometry<I>.choose(
      parts.square, even: parts.cosine, odd: I.multiply(parts.sine, negativeTurn))
  }
}
