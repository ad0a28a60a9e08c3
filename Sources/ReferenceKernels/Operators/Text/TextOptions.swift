// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension FlexValue {
  /// The integer that the options of an operator of text models hold for `name`; nil if they hold
  /// none.
  ///
  /// - Throws: `KernelError` where it has more than 32 bits.
  func textInteger(_ name: String) throws(KernelError) -> Int32? {
    switch self[name] {
    case nil, .some(.null): return nil
    case .some(let value): return try value.integer32(name)
    }
  }

  /// The integers of a vector; none where it is missing.
  ///
  /// - Throws: `KernelError` where one has more than 32 bits.
  func textIntegers(_ name: String) throws(KernelError) -> [Int32] {
    var integers: [Int32] = []
    for value in self[name]?.vector ?? [] { integers.append(try value.integer32(name)) }
    return integers
  }

  private func integer32(_ name: String) throws(KernelError) -> Int32 {
    guard let integer = int, let value = Int32(exactly: integer) else {
      throw .invalid("\(name) is no integer of 32 bits")
    }
    return value
  }

  /// The 64 bits of an integer, whatever its sign; 0 where it is missing.
  ///
  /// - Throws: `KernelError` where it is no integer.
  func textBits(_ name: String) throws(KernelError) -> UInt64 {
    switch self[name] {
    case nil, .some(.null): return 0
    case .some(.uint(let bits)): return bits
    case .some(.int(let value)): return UInt64(bitPattern: value)
    default: throw .invalid("\(name) is no integer")
    }
  }
}
