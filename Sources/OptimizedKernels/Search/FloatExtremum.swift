// SPDX-License-Identifier: Apache-2.0

/// The search for the greatest or the least of floats; NaN is neither.
struct FloatExtremum: Sendable {
  private typealias Lanes = SIMD16<Float>
  private typealias Bits = SIMD16<UInt32>

  /// What turns the order around for the least: the sign bit.
  private let flip: UInt32

  /// The search for the greatest, or for the least.
  init(isMaximum: Bool) { flip = isMaximum ? 0 : 0x8000_0000 }

  /// `start`, or the first of the equal elements of a run that go furthest beyond it.
  @inline(__always)
  func value(of run: UnsafePointer<Float>, count: Int, from start: Float) -> Float {
    let flips = Bits(repeating: flip)
    var greatest = turned(start)
    var lanes = Lanes(repeating: greatest)
    var index = 0
    while index + 16 <= count {
      let bits = unsafe UnsafeRawPointer(run + index).loadUnaligned(as: Bits.self) ^ flips
      let next = unsafe unsafeBitCast(bits, to: Lanes.self)
      lanes.replace(with: next, where: next .> lanes)
      index += 16
    }
    for lane in 0..<16 where greatest < lanes[lane] { greatest = lanes[lane] }
    while index < count {
      let next = unsafe turned(run[index])
      if greatest < next { greatest = next }
      index += 1
    }
    return unsafe first(turned(greatest), in: run, count: count, from: start)
  }

  /// The first of the equal elements of a run of which vectors found one, from `start` on.
  ///
  /// Zeroes of both signs are equal: which of them came first, lanes do not know.
  @inline(__always)
  func first(
    _ value: Float, in run: UnsafePointer<Float>, count: Int, from start: Float
  ) -> Float {
    guard value == 0, start != 0, let first = unsafe location(of: 0, in: run, count: count) else {
      return value
    }
    return unsafe run[first]
  }

  /// Where the first element is that equals `value`; nil where none does.
  func location(of value: Float, in run: UnsafePointer<Float>, count: Int) -> Int? {
    let values = Lanes(repeating: value)
    var index = 0
    while index + 16 <= count {
      let next = unsafe UnsafeRawPointer(run + index).loadUnaligned(as: Lanes.self)
      if any(next .== values) { break }
      index += 16
    }
    while index < count {
      if unsafe run[index] == value { return index }
      index += 1
    }
    return nil
  }

  private func turned(_ value: Float) -> Float { Float(bitPattern: value.bitPattern ^ flip) }
}
