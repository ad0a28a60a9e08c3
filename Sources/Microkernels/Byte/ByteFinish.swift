// SPDX-License-Identifier: Apache-2.0

/// How the 32-bit sums of a block become its output.
///
/// Quantized values are `clamp(z + m·x)` for a sum `x`, with a factor `m` per column, either in
/// fixed point, `m = significand · 2^(exponent − 31)`, or as a `Double`.
///
/// Fixed point follows TFLite's two rounding profiles exactly. The fast form needs factors of 2^-22
/// and more, or so small that no sum gives anything but the zero point, and sums below `2^30`, also
/// after they are shifted left where `exponent` is positive (see `ByteScaling`): then, with
/// `s = max(−exponent, 0)` and `l = max(exponent, 0)`,
///
///     y = (2·(x << l)·significand + 2^31) >> 32          gemmlowp's first rounding
///     value = (y + (x < 0 && s > 0 ? −1 : 0) + (2^s >> 1) + (z << s)) >> s
///
/// has no overflow and no branch. Its last line divides with rounding half away from zero (where
/// `x` is negative but `y` is 0, the term changes nothing). As floors compose, all addends but the
/// sign's go into the 64-bit product at once: they are the table's addends, 64 bits for each even
/// and each odd column.
///
/// Without the term for negative `x` both lines together are one floor, so that neither product nor
/// addends need be doubled where all factors are below 1/2:
///
///     value = ((x·significand + addend) >> 32) >> (s − 1)
///
/// That is so where the second rounding takes halves towards +∞, as kernels beyond TFLite's
/// reference do; where there is only one rounding, towards +∞, which leaves out the `2^31`; and
/// where no quantized value lies below the zero point, as after a rectifier: then negative sums all
/// give the least quantized value.
///
/// Levels with an instruction for the first line take the addends of the second one by themselves,
/// where no column is shifted left. They subtract the sign of `y` then: where it is not that of `x`,
/// `y` is 0, which is as good.
@unsafe
@usableFromInline
package struct ByteFinish {
  /// The forms of output.
  @frozen
  @usableFromInline
  package enum Form: Sendable {
    /// Quantized values by fixed point, within the preconditions of the fast form save for some
    /// columns.
    case fast
    /// Quantized values by fixed point, for any factor and sum.
    case exact
    /// Quantized values by `Double` factors, rounded half away from zero, as FULLY_CONNECTED does.
    case real
    /// The sums themselves, as `Int32`.
    case sums
  }

  /// The form of the output.
  @usableFromInline package var form: Form
  /// Whether fixed point rounds twice, as gemmlowp does; else once, half towards +∞.
  @usableFromInline package var roundsTwice: Bool
  /// Whether the second of two roundings takes halves away from zero, else towards +∞.
  ///
  /// The fast form says no as well where that makes no difference.
  @usableFromInline package var shiftsHalvesAway: Bool
  /// Whether the fast form takes more than one floor: some column shifts its sums left or rounds
  /// halves away from zero.
  @usableFromInline package var scalesInSteps: Bool
  /// Whether levels that round products may use them: fixed point rounds twice, and all factors are
  /// below 1/2.
  @usableFromInline package var takesRoundedProducts: Bool
  /// What scales the block's columns: for fixed point planes of 4 bytes per column (significands,
  /// exponents or, in the fast form, shifts, then addends of even and of odd columns, left shifts,
  /// by how much a logical shift right leaves the sign that is subtracted, or nothing, the addends
  /// of the second line, and as floats what a sum is multiplied with, what is added so that the
  /// nearest whole number is the value, and what negative sums lose), for `real` a `Double` per
  /// column.
  @usableFromInline package var table: UnsafeRawPointer
  /// Bytes from one plane to the next.
  @usableFromInline package var planeStride: Int
  /// The output's zero point.
  @usableFromInline package var zeroPoint: Int32
  /// The least quantized value.
  @usableFromInline package var lowest: Int32
  /// The greatest quantized value.
  @usableFromInline package var highest: Int32
  /// Whether quantized values are `Int8` rather than `UInt8`.
  @usableFromInline package var isSigned: Bool
  /// Columns that the fast form leaves out.
  @usableFromInline var exceptions: ByteExceptions

  @_alwaysEmitIntoClient
  @inline(__always)
  init(
    form: Form, roundsTwice: Bool, shiftsHalvesAway: Bool, scalesInSteps: Bool,
    takesRoundedProducts: Bool, table: UnsafeRawPointer, planeStride: Int, zeroPoint: Int32,
    lowest: Int32, highest: Int32,
    isSigned: Bool, exceptions: ByteExceptions
  ) {
    unsafe self.form = form
    unsafe self.roundsTwice = roundsTwice
    unsafe self.shiftsHalvesAway = shiftsHalvesAway
    unsafe self.scalesInSteps = scalesInSteps
    unsafe self.takesRoundedProducts = takesRoundedProducts
    unsafe self.table = table
    unsafe self.planeStride = planeStride
    unsafe self.zeroPoint = zeroPoint
    unsafe self.lowest = lowest
    unsafe self.highest = highest
    unsafe self.isSigned = isSigned
    unsafe self.exceptions = exceptions
  }

  /// What `narrow` yields is signed: unsigned quantized values are handled 128 lower and flipped at
  /// the end.
  @_alwaysEmitIntoClient
  @inline(__always)
  package var signedOffset: Int32 { unsafe isSigned ? 0 : 128 }
}
