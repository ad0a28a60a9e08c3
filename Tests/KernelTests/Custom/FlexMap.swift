// SPDX-License-Identifier: Apache-2.0

/// A number, or a vector of integers, in a FlexBuffer written by a test.
enum FlexNumber {
  case int(Int64)
  case float(Double)
  case bool(Bool)
  case ints([Int64])

  /// What a map holds of it at `location`; a vector begins at `start`.
  fileprivate func bits(at location: Int, start: Int?) -> UInt64 {
    switch self {
    case .int(let value): UInt64(bitPattern: value)
    case .float(let value): value.bitPattern
    case .bool(let value): value ? 1 : 0
    case .ints: UInt64(location - (start ?? 0))
    }
  }

  /// The format's type number, shifted past the two bits of the width.
  fileprivate var type: UInt8 {
    switch self {
    case .int: 1 << 2 | 3
    case .float: 3 << 2 | 3
    case .bool: 26 << 2 | 3
    case .ints: 11 << 2 | 3
    }
  }
}

/// A FlexBuffer that holds a map, everything in it 8 bytes wide.
func flexMap(_ entries: [String: FlexNumber]) -> [UInt8] {
  var bytes: [UInt8] = []
  func append(_ value: UInt64) {
    for byte in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))) }
  }
  let sorted = entries.sorted { $0.key < $1.key }
  var keyStarts: [Int] = []
  for (key, _) in sorted {
    keyStarts.append(bytes.count)
    bytes += Array(key.utf8) + [0]
  }
  while bytes.count % 8 != 0 { bytes.append(0) }
  var starts: [String: Int] = [:]
  for (key, value) in sorted {
    guard case .ints(let numbers) = value else { continue }
    append(UInt64(numbers.count))
    starts[key] = bytes.count
    for number in numbers { append(UInt64(bitPattern: number)) }
  }

  append(UInt64(sorted.count))
  let keys = bytes.count
  for start in keyStarts { append(UInt64(bytes.count - start)) }

  append(UInt64(bytes.count - keys))
  append(8)
  append(UInt64(sorted.count))
  let map = bytes.count
  for (key, value) in sorted { append(value.bits(at: bytes.count, start: starts[key])) }
  for (_, value) in sorted { bytes.append(value.type) }

  while bytes.count % 8 != 0 { bytes.append(0) }
  append(UInt64(bytes.count - map))
  return bytes + [9 << 2 | 3, 8]
}
