// SPDX-License-Identifier: Apache-2.0

/// Elements that are copied in the opposite order, eight bytes at a time.
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

  /// Copies the elements, which are 1, 2 or 4 bytes wide.
  func copy(to output: UnsafeMutableRawPointer, unit: Int) {
    switch unit {
    case 1: unsafe copy(to: output, UInt8.self) { $0.byteSwapped }
    case 2:
      unsafe copy(to: output, UInt16.self) { word in
        let bytes = word.byteSwapped
        return (bytes & 0x00FF_00FF_00FF_00FF) &<< 8 | (bytes &>> 8) & 0x00FF_00FF_00FF_00FF
      }
    default: unsafe copy(to: output, UInt32.self) { $0 &<< 32 | $0 &>> 32 }
    }
  }

  @inline(__always)
  private func copy<Unit: FixedWidthInteger>(
    to output: UnsafeMutableRawPointer, _: Unit.Type, reversed: (UInt64) -> UInt64
  ) {
    let size = MemoryLayout<Unit>.size
    let step = 8 / size
    var index = 0
    while unsafe index &+ step <= count {
      let word = unsafe (last - (index &+ step &- 1) &* size).loadUnaligned(as: UInt64.self)
      unsafe output.storeBytes(of: reversed(word), toByteOffset: index &* size, as: UInt64.self)
      index &+= step
    }
    while unsafe index < count {
      let element = unsafe (last - index &* size).loadUnaligned(as: Unit.self)
      unsafe output.storeBytes(of: element, toByteOffset: index &* size, as: Unit.self)
      index &+= 1
    }
  }
}
