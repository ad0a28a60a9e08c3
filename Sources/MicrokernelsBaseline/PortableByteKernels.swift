// SPDX-License-Identifier: Apache-2.0

internal import Microkernels

/// 16 bytes, with nothing but Swift's own vectors: for processors without kernels of their own.
private enum PortableByteVectors: ByteLaneInstructions {
  typealias Vector = SIMD4<Int32>
  typealias Scaling = PortableScaling

  @inline(__always)
  static var isWide: Bool { true }

  @inline(__always)
  static func broadcast(_ word: Int32) -> Vector { Vector(repeating: word) }

  @inline(__always)
  static func add(_ left: Vector, _ right: Vector) -> Vector { left &+ right }

  @inline(__always)
  static func dot(_ sum: Vector, _ activations: Vector, _ weights: Vector) -> Vector {
    let low = ((activations &<< 16) &>> 16) &* ((weights &<< 16) &>> 16)
    return sum &+ low &+ (activations &>> 16) &* (weights &>> 16)
  }

  @inline(__always)
  static func dot(
    _ sum: Vector, interleaved activations: Vector, _ weights: UnsafeRawPointer
  ) -> Vector {
    let mask = Vector(repeating: 0x00FF_00FF)
    let even = activations & mask
    let odd = (activations &>> 8) & mask
    return unsafe dot(dot(sum, even, load(weights)), odd, load(weights + byteCount))
  }

  @inline(__always)
  static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
    unsafe copyPrefix(pointer, count: count)
  }

  @inline(__always)
  static func flip(_ vector: Vector, _ mask: Vector) -> Vector { vector ^ mask }

  @inline(__always)
  static func interleaveBytes(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
    portablyInterleavedBytes(left, right)
  }

  @inline(__always)
  static func interleaveWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
    portablyInterleavedWords(left, right)
  }

  @inline(__always)
  static func scaling(_ table: UnsafeRawPointer, planeStride: Int) -> Scaling {
    unsafe portableScaling(table, planeStride: planeStride)
  }

  @inline(__always)
  static func scale(_ sum: Vector, _ scaling: Scaling, halfAway: Bool) -> Vector {
    portablyScaled(sum, scaling, halfAway: halfAway)
  }

  @inline(__always)
  static func narrow(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
    portablyNarrowed(a, b, c, d)
  }

  @inline(__always)
  static func narrowInterleaved(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector) -> Vector {
    narrow(a, b, c, d)
  }

  @inline(__always)
  static func clampBytes(_ bytes: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
    portablyClampedBytes(bytes, lowest, highest)
  }
}

extension PortableByteVectors {
  @inline(__always)
  static func subtract(_ left: Vector, _ right: Vector) -> Vector { left &- right }

  @inline(__always)
  static func shiftLeft(_ vector: Vector, by count: Int32) -> Vector {
    vector &<< Vector(repeating: count)
  }

  @inline(__always)
  static func shiftRight(_ vector: Vector, by count: Int32) -> Vector {
    vector &>> Vector(repeating: count)
  }

  @inline(__always)
  static func addWords(_ left: Vector, _ right: Vector) -> Vector {
    let low = (left &+ right) & 0xFFFF
    return low | ((left & high) &+ (right & high))
  }

  @inline(__always)
  static func highBytes(_ words: Vector) -> Vector {
    ((words &<< 16) &>> 24) & 0xFFFF | (words &>> 24) &<< 16
  }

  @inline(__always)
  static func multiplyWords(_ left: Vector, _ right: Vector) -> (low: Vector, high: Vector) {
    let even = ((left &<< 16) &>> 16) &* ((right &<< 16) &>> 16)
    let odd = (left &>> 16) &* (right &>> 16)
    return (even & 0xFFFF | odd &<< 16, (even &>> 16) & 0xFFFF | odd & high)
  }

  @inline(__always)
  static func hasLess(
    _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ mask: Vector, than limit: Vector
  ) -> Bool {
    any((a & mask) .< limit) || any((b & mask) .< limit) || any((c & mask) .< limit)
      || any((d & mask) .< limit)
  }

  @inline(__always)
  static func dotWords(_ left: Vector, _ right: Vector) -> Vector { dot(.zero, left, right) }

  /// The high words of all lanes.
  @inline(__always)
  private static var high: Vector { Vector(repeating: -0x10000) }
}

/// Copies rows to where the tile reads them.
func copyPortableByteRows(_ task: ByteRowsTask) {
  unsafe copyRows(task, PortableByteVectors.self)
}

/// A tile of a byte product, as wide as one or two vectors.
func portableByteTile(_ task: ByteTileTask, vectors: Int) {
  if vectors == 2 {
    unsafe fullPortableByteTile(task)
  } else {
    unsafe halfPortableByteTile(task)
  }
}

@inline(never)
func fullPortableByteTile(_ task: ByteTileTask) {
  unsafe byteTile(task, tileRows: 4, ByteTile<PortableByteVectors, 1, 2>.self)
}

@inline(never)
func halfPortableByteTile(_ task: ByteTileTask) {
  unsafe byteTile(task, tileRows: 4, ByteTile<PortableByteVectors, 1, 1>.self)
}

/// Scales a product's sums to codes.
func scalePortableByteProduct(_ task: ByteScaleTask) {
  unsafe scaleProduct(task, PortableByteVectors.self)
}

/// The sums of a part of a depthwise convolution.
func portableByteDepthwise(_ task: ByteDepthwiseTask, _ part: ByteDepthwisePart) {
  unsafe byteDepthwise(task, part, pairs: false, PortableByteVectors.self)
}

/// Scales a depthwise convolution's sums to codes.
func scalePortableByteDepthwise(_ task: ByteScaleTask) {
  unsafe scaleDepthwise(task, PortableByteVectors.self)
}

/// Sums of codes.
func addPortableBytes(
  _ row: ByteBinaryRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
) {
  if unsafe finish.shiftsHalvesAway {
    unsafe doublyRoundedPortableByteSums(row, operands, terms, finish)
  } else if unsafe finish.roundsTwice {
    unsafe flooredPortableByteSums(row, operands, terms, finish)
  } else {
    unsafe singlyRoundedPortableByteSums(row, operands, terms, finish)
  }
}

@inline(never)
func doublyRoundedPortableByteSums(
  _ row: ByteBinaryRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
) {
  unsafe computeRow(
    row, ByteRowTwiceRoundedSum.self,
    ByteRowConstants<PortableByteVectors>(operands, terms, finish),
    halfAway: true)
}

@inline(never)
func flooredPortableByteSums(
  _ row: ByteBinaryRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
) {
  unsafe computeRow(
    row, ByteRowTwiceRoundedSum.self,
    ByteRowConstants<PortableByteVectors>(operands, terms, finish),
    halfAway: false)
}

@inline(never)
func singlyRoundedPortableByteSums(
  _ row: ByteBinaryRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
) {
  unsafe computeRow(
    row, ByteRowSum.self, ByteRowConstants<PortableByteVectors>(operands, terms, finish),
    halfAway: false)
}

/// Sums of codes as far as their estimates are certain.
func estimatePortableByteSums(
  _ row: ByteBinaryRow, _ start: Int, _ operands: ByteOperands, _ estimate: ByteSumEstimate,
  _ finish: ByteFinish
) -> Int {
  unsafe estimateRow(row, from: start, operands, estimate, ByteLimits<PortableByteVectors>(finish))
}

/// Products of codes.
func multiplyPortableBytes(_ row: ByteBinaryRow, _ operands: ByteOperands, _ finish: ByteFinish) {
  if unsafe finish.shiftsHalvesAway {
    unsafe doublyRoundedPortableByteProducts(row, operands, finish)
  } else {
    unsafe singlyRoundedPortableByteProducts(row, operands, finish)
  }
}

@inline(never)
func doublyRoundedPortableByteProducts(
  _ row: ByteBinaryRow, _ operands: ByteOperands, _ finish: ByteFinish
) {
  unsafe computeRow(
    row, ByteRowProduct.self,
    ByteRowConstants<PortableByteVectors>(operands, ByteSumTerms(), finish), halfAway: true)
}

@inline(never)
func singlyRoundedPortableByteProducts(
  _ row: ByteBinaryRow, _ operands: ByteOperands, _ finish: ByteFinish
) {
  unsafe computeRow(
    row, ByteRowProduct.self,
    ByteRowConstants<PortableByteVectors>(operands, ByteSumTerms(), finish), halfAway: false)
}

/// Sums of columns of codes.
func sumPortableByteColumns(_ rows: ByteColumns, _ sums: UnsafeMutableRawPointer) {
  unsafe sumColumns(rows, to: sums, PortableByteVectors.self)
}

/// The limit of portable byte arithmetic.
func portableBytePeak(_ rounds: Int) -> Int32 { bytePeak(rounds, PortableByteVectors.self) }
