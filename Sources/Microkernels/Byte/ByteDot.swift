// SPDX-License-Identifier: Apache-2.0

/// Two runs of quantized values of one type whose products are added up.
@unsafe
@frozen
@usableFromInline
package struct ByteDot {
  /// The first run.
  @usableFromInline package var left: UnsafeRawPointer
  /// The second run.
  @usableFromInline package var right: UnsafeRawPointer
  /// Quantized values of each.
  @usableFromInline package var count: Int
  /// Whether quantized values are `Int8` rather than `UInt8`.
  @usableFromInline package var areSigned: Bool
  /// The zero points, which the type has.
  @usableFromInline package var leftZeroPoint: Int32
  @usableFromInline package var rightZeroPoint: Int32

  /// Runs of these parts.
  package init(
    left: UnsafeRawPointer, right: UnsafeRawPointer, count: Int, areSigned: Bool,
    leftZeroPoint: Int32, rightZeroPoint: Int32
  ) {
    unsafe self.left = left
    unsafe self.right = right
    unsafe self.count = count
    unsafe self.areSigned = areSigned
    unsafe self.leftZeroPoint = leftZeroPoint
    unsafe self.rightZeroPoint = rightZeroPoint
  }
}

/// The wrapping sum of `(l − zₗ)(r − zᵣ)` over both runs.
@_alwaysEmitIntoClient
@inline(__always)
package func dotBytes<Level: ByteLaneInstructions>(_ task: ByteDot, _: Level.Type) -> Int32 {
  unsafe task.areSigned
    ? dotBytes(task, areSigned: true, Level.self) : dotBytes(task, areSigned: false, Level.self)
}

@_alwaysEmitIntoClient
@inline(__always)
func dotBytes<Level: ByteLaneInstructions>(
  _ task: ByteDot, areSigned: Bool, _: Level.Type
) -> Int32 {
  // Differences of bytes fit words, whose products a lane holds two of.
  let leftZero = Level.broadcast(word: unsafe task.leftZeroPoint)
  let rightZero = Level.broadcast(word: unsafe task.rightZeroPoint)
  @inline(__always)
  func products(_ start: Int) -> Level.Vector {
    let left = unsafe Level.loadWords(task.left + start, areSigned: areSigned)
    let right = unsafe Level.loadWords(task.right + start, areSigned: areSigned)
    return Level.dotWords(
      Level.subtractWords(left, leftZero), Level.subtractWords(right, rightZero))
  }
  let step = Level.byteCount / 2
  var sums = (Level.broadcast(0), Level.broadcast(0))
  var start = 0
  while unsafe start &+ 2 &* step <= task.count {
    sums = (
      Level.add(sums.0, products(start)), Level.add(sums.1, products(start &+ step))
    )
    start &+= 2 &* step
  }
  let lanes = Level.add(sums.0, sums.1)
  var sum = unsafe dotBytes(task, from: start)
  unsafe withUnsafeBytes(of: lanes) { lanes in
    for lane in 0..<Level.laneCount {
      unsafe sum &+= lanes.load(fromByteOffset: lane &* 4, as: Int32.self)
    }
  }
  return sum
}

/// The sum from `start` on, one by one.
@usableFromInline
package func dotBytes(_ task: ByteDot, from start: Int) -> Int32 {
  var sum: Int32 = 0
  for index in unsafe start..<task.count {
    let left = unsafe task.left.load(fromByteOffset: index, as: UInt8.self)
    let right = unsafe task.right.load(fromByteOffset: index, as: UInt8.self)
    let values =
      unsafe task.areSigned
      ? (Int32(Int8(bitPattern: left)), Int32(Int8(bitPattern: right)))
      : (Int32(left), Int32(right))
    unsafe sum &+= (values.0 &- task.leftZeroPoint) &* (values.1 &- task.rightZeroPoint)
  }
  return sum
}
