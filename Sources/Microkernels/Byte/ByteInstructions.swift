// SPDX-License-Identifier: Apache-2.0

/// Integer arithmetic on the vectors of one instruction-set level, for 8-bit operators.
///
/// A vector is a bag of bits, read as 32-bit sums, as 16-bit words or as bytes by turns.
@usableFromInline
package protocol ByteInstructions {
  /// A vector.
  associatedtype Vector: BitwiseCopyable
  /// What scales a vector of sums: significands and shifts, arranged as the level needs them.
  associatedtype Scaling

  /// Whether products are formed from pairs of 16-bit words rather than from four bytes.
  ///
  /// Wide levels hold weights as 16-bit words with their zero point subtracted.
  static var isWide: Bool { get }

  /// Whether products of bytes take activations as signed bytes, 128 less than the unsigned ones.
  static var signsActivations: Bool { get }

  /// The order of the two words that a lane of wide levels adds up the products of.
  static var pairOrder: WordPairOrder { get }

  /// Whether a tile reads four words of a row at once and multiplies by each of them.
  static var multipliesByLane: Bool { get }

  /// Whether tiles that scale their sums take rows 16 bytes by 16 bytes: `interleaveRows`.
  static var interleavesRows: Bool { get }

  /// All 32-bit lanes equal to `word`.
  static func broadcast(_ word: Int32) -> Vector

  /// The sums of 32-bit lanes, wrapping.
  static func add(_ left: Vector, _ right: Vector) -> Vector

  /// Adds to each sum the dot product of its lane's activations and weights: four unsigned by
  /// signed bytes, or signed ones where `signsActivations`, or two pairs of signed words on wide
  /// levels.
  static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector

  /// Whether products of two rows and two columns, eight bytes of each, are one instruction.
  static var multipliesMatrices: Bool { get }

  /// Adds to the sums of two rows and two columns, row after row, the products of eight bytes of each.
  static func multiplyMatrices(_ sums: Vector, _ rows: Vector, _ columns: Vector) -> Vector

  /// The low halves of both vectors, their high halves.
  static func halves(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector)

  /// `dot` with one word of a vector, the same for all sums.
  static func dot(_ sum: Vector, _ row: Vector, word: Int, _ weights: Vector) -> Vector

  /// A word of a row, as `dot` takes it for all sums.
  static func activations(_ word: Int32) -> Vector

  /// The first `count` bytes at `pointer`, fewer than a vector's, and zeroes; reads no others.
  static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector

  /// A vector's 16-bit words from half as many bytes at `pointer`.
  static func loadWords(_ pointer: UnsafeRawPointer, areSigned: Bool) -> Vector

  /// The differences of 16-bit words, wrapping.
  static func subtractWords(_ left: Vector, _ right: Vector) -> Vector

  /// Bitwise exclusive or.
  static func flip(_ vector: Vector, _ mask: Vector) -> Vector

  /// The bytes of both vectors alternating, within each 128-bit lane: its low half, its high half.
  static func interleaveBytes(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector)

  /// The 16-bit words of both vectors alternating, within each 128-bit lane.
  static func interleaveWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector)

  /// The constants of `scale` for a vector of columns, from the table of `ByteFinish`.
  static func scaling(_ table: UnsafeRawPointer, planeStride: Int) -> Scaling

  /// Scales sums to quantized values; see `ByteFinish` for the formula and its preconditions.
  ///
  /// `inSteps` shifts each sum left first and rounds the last shift half away from zero, as far as
  /// its column's constants say so; without it there is one floor.
  static func scale(_ sum: Vector, _ scaling: Scaling, inSteps: Bool) -> Vector

  /// `scale` of four vectors, or `scaleRounding` where the level has it and `rounding` says so.
  static func scale(
    _ sums: InlineArray<4, Vector>, _ scalings: InlineArray<4, Scaling>, inSteps: Bool,
    rounding: Bool
  ) -> InlineArray<4, Vector>

  /// Whether an instruction rounds the high halves of 32-bit lanes' products, as the first of two
  /// roundings does, so that `scaleRounding` takes less than `scale`.
  static var roundsProducts: Bool { get }

  /// `scale` where `ByteFinish` takes rounded products.
  ///
  /// `inSteps` rounds the last shift half away from zero.
  static func scaleRounding(_ sum: Vector, _ scaling: Scaling, inSteps: Bool) -> Vector

  /// Whether columns of depthwise windows are interleaved in memory where they do not fit registers.
  static var interleavesLines: Bool { get }

  /// Four vectors of 32-bit lanes, saturated to signed bytes, one after the other.
  static func narrow(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector

  /// Four vectors of 32-bit lanes, saturated to signed bytes, in the order that undoes
  /// interleaving bytes and then words.
  static func narrowInterleaved(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector

  /// Signed bytes limited to an interval; the bounds are bytes repeated in every lane.
  static func clampBytes(_ bytes: Vector, _ lowest: Vector, _ highest: Vector) -> Vector
}

extension ByteInstructions {
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var signsActivations: Bool { false }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static var pairOrder: WordPairOrder { .alternating }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static var multipliesByLane: Bool { false }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static var interleavesRows: Bool { multipliesByLane && !isWide }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func activations(_ word: Int32) -> Vector { broadcast(word) }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static var roundsProducts: Bool { false }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static var interleavesLines: Bool { roundsProducts && !isWide }

  /// Levels without such an instruction scale as for one rounding.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func scaleRounding(
    _ sum: Vector, _ scaling: Scaling, inSteps: Bool
  ) -> Vector {
    scale(sum, scaling, inSteps: inSteps)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static func scale(
    _ sums: InlineArray<4, Vector>, _ scalings: InlineArray<4, Scaling>, inSteps: Bool,
    rounding: Bool
  ) -> InlineArray<4, Vector> {
    InlineArray { scale(sums[$0], scalings[$0], inSteps: inSteps, rounding: rounding) }
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  package static var multipliesMatrices: Bool { false }

  /// Levels that do not multiply matrices have no other product.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func multiplyMatrices(
    _ sums: Vector, _ rows: Vector, _ columns: Vector
  ) -> Vector {
    dot(sums, rows, columns)
  }

  /// Only levels that multiply matrices take halves apart.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func halves(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
    (left, right)
  }

  /// Levels that do not multiply by lanes have no other product.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func dot(_ sum: Vector, _ row: Vector, word: Int, _ weights: Vector) -> Vector {
    dot(sum, row, weights)
  }
}

extension ByteInstructions {
  /// Bytes of a vector.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var byteCount: Int { MemoryLayout<Vector>.size }

  /// Sums in a vector.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static var laneCount: Int { MemoryLayout<Vector>.size / 4 }

  /// All bytes equal to `byte`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func broadcast(byte: UInt8) -> Vector {
    broadcast(Int32(bitPattern: UInt32(byte) &* 0x0101_0101))
  }

  /// All 16-bit words equal to `word`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func broadcast(word: Int32) -> Vector {
    broadcast(word &<< 16 | word & 0xFFFF)
  }

  /// The vector at `pointer`.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func load(_ pointer: UnsafeRawPointer) -> Vector {
    unsafe pointer.loadUnaligned(as: Vector.self)
  }
}

extension ByteInstructions {
  /// `scale`, or `scaleRounding` where the level has it and `finish` takes rounded products.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func scale(
    _ sum: Vector, _ scaling: Scaling, inSteps: Bool, rounding: Bool
  ) -> Vector {
    roundsProducts && rounding
      ? scaleRounding(sum, scaling, inSteps: inSteps) : scale(sum, scaling, inSteps: inSteps)
  }

  /// `loadPrefix` byte by byte.
  @_alwaysEmitIntoClient
  @inline(__always)
  package static func copyPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
    var vector = broadcast(0)
    unsafe withUnsafeMutableBytes(of: &vector) { bytes in
      for index in 0..<count {
        unsafe bytes[index] = unsafe pointer.load(fromByteOffset: index, as: UInt8.self)
      }
    }
    return vector
  }
}

/// Where the table of `ByteFinish` has the constants of a vector of columns.
@safe
@frozen
@usableFromInline
package struct ByteTablePlace {
  /// The first plane's first constant.
  @usableFromInline package let first: UnsafeRawPointer
  /// Bytes from one plane to the next.
  @usableFromInline package let planeStride: Int

  /// A place.
  @_alwaysEmitIntoClient
  @inline(__always)
  package init(_ first: UnsafeRawPointer, planeStride: Int) {
    unsafe self.first = first
    self.planeStride = planeStride
  }
}

/// What scales sums by 64-bit products of the even and of the odd lanes: their significands, what
/// is added to the products, and shifts; those of the steps that come before and after.
///
/// A tuple: a named type would bring weak symbols along in debug builds.
package typealias EvenOddScaling<Vector> = (
  even: Vector, odd: Vector, evenAddend: Vector, oddAddend: Vector, shift: Vector,
  lift: Vector, sign: Vector
)
