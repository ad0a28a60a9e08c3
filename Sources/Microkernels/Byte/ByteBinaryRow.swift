// SPDX-License-Identifier: Apache-2.0

/// What makes numbers of quantized values that two operands share.
@frozen
@usableFromInline
package struct ByteOperands: Sendable {
  /// What makes unsigned quantized values signed: 0x80, or 0 for signed ones.
  @usableFromInline package var flip: UInt8
  /// The first operand's zero point, as a signed quantized value.
  @usableFromInline package var leftZeroPoint: Int32
  /// The second operand's zero point, as a signed quantized value.
  @usableFromInline package var rightZeroPoint: Int32

  /// Quantized values of one type with these zero points, as they are in the model.
  package init(isSigned: Bool, leftZeroPoint: Int32, rightZeroPoint: Int32) {
    flip = isSigned ? 0 : 0x80
    let offset: Int32 = isSigned ? 0 : 128
    self.leftZeroPoint = leftZeroPoint &- offset
    self.rightZeroPoint = rightZeroPoint &- offset
  }
}

/// How a pair of vectors of quantized values becomes a vector of quantized values.
@usableFromInline
package protocol ByteRowOperation {
  /// The quantized values of these pairs.
  static func values<Level: ByteLaneInstructions>(
    _ left: Level.Vector, _ right: Level.Vector, _ row: ByteRowConstants<Level>, inSteps: Bool,
    rounding: Bool
  ) -> Level.Vector
}

/// Computes a run of an operation.
@_alwaysEmitIntoClient
@inline(__always)
package func computeRow<Operation: ByteRowOperation, Level: ByteLaneInstructions>(
  _ row: PlainRow, _: Operation.Type, _ constants: ByteRowConstants<Level>, inSteps: Bool
) {
  // Asked once, not for every vector.
  if Level.roundsProducts && constants.takesRoundedProducts {
    unsafe computeRow(row, Level.self) { left, right in
      Operation.values(left, right, constants, inSteps: inSteps, rounding: true)
    }
  } else {
    unsafe computeRow(row, Level.self) { left, right in
      Operation.values(left, right, constants, inSteps: inSteps, rounding: false)
    }
  }
}

/// Computes a run of pairs; the rest of a vector is computed the same way.
@_alwaysEmitIntoClient
@inline(__always)
func computeRow<Level: ByteLaneInstructions>(
  _ row: PlainRow, _: Level.Type,
  _ values: (_ left: Level.Vector, _ right: Level.Vector) -> Level.Vector
) {
  let step = Level.byteCount
  var start = 0
  while unsafe start &+ step <= row.count {
    let result = unsafe values(Level.load(row.left + start), Level.load(row.right + start))
    unsafe row.output.storeBytes(of: result, toByteOffset: start, as: Level.Vector.self)
    start &+= step
  }
  let rest = unsafe row.count &- start
  if rest > 0 {
    let result = unsafe values(
      Level.loadPrefix(row.left + start, count: rest),
      Level.loadPrefix(row.right + start, count: rest))
    unsafe Level.storePrefix(result, to: row.output + start, count: rest)
  }
}

/// What a run's operands and results have in common.
@usableFromInline
package struct ByteRowConstants<Level: ByteLaneInstructions> {
  @usableFromInline let left: ByteWords<Level>
  @usableFromInline let right: ByteWords<Level>
  @usableFromInline let terms: ByteSumVectors<Level>
  @usableFromInline let limits: ByteLimits<Level>
  @usableFromInline let scaling: Level.Scaling
  @usableFromInline let takesRoundedProducts: Bool

  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish) {
    left = ByteWords(flip: operands.flip, zeroPoint: operands.leftZeroPoint)
    right = ByteWords(flip: operands.flip, zeroPoint: operands.rightZeroPoint)
    self.terms = ByteSumVectors(terms)
    limits = unsafe ByteLimits(finish)
    scaling = unsafe Level.scaling(finish.table, planeStride: finish.planeStride)
    takesRoundedProducts = unsafe finish.takesRoundedProducts
  }

  /// The quantized values of 32-bit numbers in the order of interleaved bytes and words, by the
  /// fast form of `ByteFinish`.
  @_alwaysEmitIntoClient
  @inline(__always)
  func values(
    _ values: InlineArray<4, Level.Vector>, inSteps: Bool, rounding: Bool
  ) -> Level.Vector {
    let scaled = Level.scale(
      values, InlineArray(repeating: scaling), inSteps: inSteps, rounding: rounding)
    return limits.values(Level.narrowInterleaved(scaled[0], scaled[1], scaled[2], scaled[3]))
  }
}

/// Numbers of quantized values: their distances from the zero point, as 16-bit words.
@usableFromInline
package struct ByteWords<Level: ByteLaneInstructions> {
  @usableFromInline let flip: Level.Vector
  @usableFromInline let negativeZeroPoint: Level.Vector

  @_alwaysEmitIntoClient
  @inline(__always)
  package init(flip: UInt8, zeroPoint: Int32) {
    self.flip = Level.broadcast(byte: flip)
    negativeZeroPoint = Level.broadcast(word: 0 &- zeroPoint)
  }

  /// The words of the low and of the high half of each 128-bit lane.
  @_alwaysEmitIntoClient
  @inline(__always)
  package func of(_ values: Level.Vector) -> (low: Level.Vector, high: Level.Vector) {
    Level.addBytes(Level.flip(values, flip), to: negativeZeroPoint)
  }
}

/// `clamp(z + m · (a − z_a)(b − z_b))`.
@frozen
@usableFromInline
package enum ByteRowProduct: ByteRowOperation {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func values<Level: ByteLaneInstructions>(
    _ left: Level.Vector, _ right: Level.Vector, _ row: ByteRowConstants<Level>, inSteps: Bool,
    rounding: Bool
  ) -> Level.Vector {
    row.values(
      Level.products(row.left.of(left), row.right.of(right)), inSteps: inSteps, rounding: rounding)
  }
}
