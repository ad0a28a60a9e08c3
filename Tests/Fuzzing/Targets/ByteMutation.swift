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
    let place = start + random.number(below: bytes.count - start)
    let count = min(1 + random.number(below: 16), bytes.count - place)
    switch random.number(below: 8) {
    case 0: bytes.removeLast(bytes.count - place)
    case 1: bytes.removeSubrange(place..<place + count)
    case 2: bytes.insert(contentsOf: bytes[place..<place + count], at: place)
    case 3: bytes[place] ^= 1 << UInt8(random.number(below: 8))
    case 4:
      for index in place..<place + min(count, 4) {
        bytes[index] = Self.bytes[random.number(below: 2) * 11]
      }
    case 5: bytes.swapAt(place, start + random.number(below: bytes.count - start))
    case 6: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    default: bytes[place] = Self.bytes[random.number(below: Self.bytes.count)]
    }
  }
}

/// PNG files whose checksums are right again, so that decoders look behind them.
package enum PNGChecksums {
  /// `file` with the checksum of each chunk, as far as there are whole ones.
  package static func repaired(_ file: [UInt8]) -> [UInt8] {
    var result = file
    var place = 8
    while place + 12 <= file.count {
      let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = place + 8 + length
      guard end + 4 <= file.count else { break }
      let checksum = Checksum.crc32(Array(file[place + 4..<end]).span)
      for index in 0..<4 {
        result[end + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index))
      }
      place = end + 4
    }
    return result
  }
}
