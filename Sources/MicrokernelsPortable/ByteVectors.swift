// SPDX-License-Identifier: Apache-2.0

internal import Microkernels

/// 16 bytes, by Swift's own vectors: for processors without kernels of their own.
protocol BytePrimitives: ByteLaneInstructions, ByteWordInstructions
where Vector == SIMD4<Int32>, Scaling == PortableScaling {}

extension BytePrimitives {
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
  static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
    unsafe copyPrefix(pointer, count: count)
  }

  @inline(__always)
  static func loadWords(_ pointer: UnsafeRawPointer, areSigned: Bool) -> Vector {
    areSigned
      ? portablyWidened(unsafe pointer.loadUnaligned(as: SIMD8<Int8>.self))
      : interleaveBytes(unsafe loadPrefix(pointer, count: 8), .zero).low
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
  static func scale(_ sum: Vector, _ scaling: Scaling, inSteps: Bool) -> Vector {
    portablyScaled(sum, scaling, inSteps: inSteps)
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

extension BytePrimitives {
  @inline(__always)
  static func storeByTurns(
    _ vector: Vector, _ even: UnsafeMutableRawPointer, _ odd: UnsafeMutableRawPointer
  ) {
    unsafe even.storeBytes(of: vector.lowHalf, as: SIMD2<Int32>.self)
    unsafe odd.storeBytes(of: vector.highHalf, as: SIMD2<Int32>.self)
  }
}

extension BytePrimitives {
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
  static func subtractWords(_ left: Vector, _ right: Vector) -> Vector {
    let low = (left &- right) & 0xFFFF
    return low | ((left & high) &- (right & high))
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
  static var high: Vector { Vector(repeating: -0x10000) }
}
