// SPDX-License-Identifier: Apache-2.0

/// Elements that are copied in the opposite order, 16 bytes at a time.
@unsafe
struct ReversedRun {
  /// The last element of the input, which is the first of the output.
  private let last: UnsafeRawPointer
  private let count: Int

  /// `count` elements that end with the one at `last`.
  init(_ last: UnsafeRawPointer, count: Int) {
    unsafe self.last = last
    unsafe self.count = count
  }

  /// Copies the elements, which are 1, 2, 4 or 8 bytes wide.
  func copy(to output: UnsafeMutableRawPointer, unit: Int) {
    switch unit {
    case 1:
      // Pairs of bytes take fewer instructions than bytes.
      unsafe copy(to: output, SIMD16<UInt8>.self) { bytes in
        let pairs = unsafe reversed(unsafeBitCast(bytes, to: SIMD8<UInt16>.self))
        return unsafe unsafeBitCast(pairs &<< 8 | pairs &>> 8, to: SIMD16<UInt8>.self)
      }
    case 2: unsafe copy(to: output, SIMD8<UInt16>.self) { reversed($0) }
    case 4: unsafe copy(to: output, SIMD4<UInt32>.self) { reversed($0) }
    default: unsafe copy(to: output, SIMD2<UInt64>.self) { reversed($0) }
    }
  }

  @inline(__always)
  private func copy<Lanes: SIMD>(
    to output: UnsafeMutableRawPointer, _: Lanes.Type, reversed: (Lanes) -> Lanes
  ) where Lanes: BitwiseCopyable, Lanes.Scalar: BitwiseCopyable {
    let (step, size) = (Lanes.scalarCount, MemoryLayout<Lanes.Scalar>.size)
    var index = 0
    while unsafe index &+ step <= count {
      let first = unsafe last - (index &+ step &- 1) &* size
      let lanes = unsafe first.loadUnaligned(as: Lanes.self)
      unsafe output.storeBytes(
        of: reversed(lanes), toByteOffset: index &* size, as: Lanes.self)
      index &+= step
    }
    while unsafe index < count {
      let element = unsafe (last - index &* size).loadUnaligned(as: Lanes.Scalar.self)
      unsafe output.storeBytes(of: element, toByteOffset: index &* size, as: Lanes.Scalar.self)
      index &+= 1
    }
  }
}

/// The lanes in the opposite order.
@inline(__always)
private func reversed<Lanes: SIMD>(_ lanes: Lanes) -> Lanes {
  var reversed = Lanes()
  for lane in 0..<Lanes.scalarCount { reversed[lane] = lanes[Lanes.scalarCount &- 1 &- lane] }
  return reversed
}
