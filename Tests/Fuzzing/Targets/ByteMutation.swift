// SPDX-License-Identifier: Apache-2.0

import Compression

/// Changes of bytes without a thought for what they mean: the same for the same seed.
package struct ByteMutation {
  private var random: MutationRandom

  /// The changes that belong to a seed.
  package init(seed: UInt32) { random = MutationRandom(seed: seed) }

  private static let bytes: [UInt8] = [0, 1, 2, 4, 8, 16, 32, 64, 127, 128, 254, 255]

  /// `bytes` with some changes from `start` on.
  package consuming func applied(to bytes: [UInt8], from start: Int = 0) -> [UInt8] {
    var result = bytes
    for _ in 0...random.number(below: 4) where result.count > start {
      change(&result, from: start)
    }
    return result
  }

  private mutating func change(_ bytes: inout [UInt8], from start: Int) {
    let location = start + random.number(below: bytes.count - start)
    let count = min(1 + random.number(below: 16), bytes.count - location)
    switch random.number(below: 8) {
    case 0: bytes.removeLast(bytes.count - location)
    case 1: bytes.removeSubrange(location..<location + count)
    case 2: bytes.insert(contentsOf: bytes[location..<location + count], at: location)
    case 3: bytes[location] ^= 1 << UInt8(random.number(below: 8))
    case 4:
      for index in location..<location + min(count, 4) {
        bytes[index] = Self.bytes[random.number(below: 2) * 11]
      }
    case 5: bytes.swapAt(location, start + random.number(below: bytes.count - start))
    case 6: bytes[location] = UInt8(truncatingIfNeeded: random.next())
    default: bytes[location] = Self.bytes[random.number(below: Self.bytes.count)]
    }
  }
}

/// PNG files whose checksums are right again, so that decoders look behind them.
package enum PNGChecksums {
  /// `file` with the checksum of each chunk, as far as there are whole ones.
  package static func repaired(_ file: [UInt8]) -> [UInt8] {
    var result = file
    var location = 8
    while location + 12 <= file.count {
      let length = file[location..<location + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = location + 8 + length
      guard end + 4 <= file.count else { break }
      let checksum = Checksum.crc32(Array(file[location + 4..<end]).span)
      for index in 0..<4 {
        result[end + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index))
      }
      location = end + 4
    }
    return result
  }
}
