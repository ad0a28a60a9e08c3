// SPDX-License-Identifier: Apache-2.0

import ModelFormat

/// Changes of a model that leave most of it readable.
///
/// Numbers in tables and vectors become others that are likely to hurt, and locations of tables are
/// exchanged. Weights stay as they are.
package struct ModelMutation {
  private var random: MutationRandom

  /// The changes that belong to a seed.
  package init(seed: UInt32) { random = MutationRandom(seed: seed) }

  private static let numbers: [Int64] = [
    0, 1, -1, 2, 3, 4, 7, 8, 16, 31, 32, 63, 64, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF,
    0x10000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 1 << 32, 1 << 40, .max, .min,
    0x7F80_0000, 0x7FC0_0000, 0x3F80_0000,
  ]

  /// `bytes` with some changes; nil where they are no model.
  package consuming func applied(to bytes: [UInt8]) -> [UInt8]? {
    guard let tree = try? ModelTree(of: bytes.span, partLimit: 5000) else { return nil }
    var locations: [Range<Int>] = []
    Self.collect(tree.root, in: bytes.indices, &locations)
    guard !locations.isEmpty else { return nil }
    var result = bytes
    for _ in 0...random.number(below: 3) {
      let location = locations[random.number(below: locations.count)]
      switch random.number(below: 8) {
      case 0: exchange(location, locations[random.number(below: locations.count)], &result)
      case 1: result.swapAt(pick(location), pick(location))
      case _: overwrite(location, &result)
      }
    }
    return result
  }

  /// Where tables and short vectors lie in the file; a broken part may say that it goes beyond.
  private static func collect(
    _ part: ModelTree.Part, in file: Range<Int>, _ locations: inout [Range<Int>]
  ) {
    if let offset = part.offset, part.byteCount > 0, part.byteCount < 4096 {
      let location = (offset..<offset + part.byteCount).clamped(to: file)
      if !location.isEmpty { locations.append(location) }
    }
    for child in part.children { collect(child, in: file, &locations) }
  }

  private mutating func overwrite(_ location: Range<Int>, _ bytes: inout [UInt8]) {
    let width = 1 << random.number(below: 4)
    let start = pick(location) / width * width
    let number =
      random.number(below: 4) == 0
      ? Int64(truncatingIfNeeded: random.next())
      : Self.numbers[random.number(below: Self.numbers.count)]
    for index in 0..<width where start + index < bytes.count {
      bytes[start + index] = UInt8(truncatingIfNeeded: number >> Int64(8 * index))
    }
  }

  private mutating func exchange(_ a: Range<Int>, _ b: Range<Int>, _ bytes: inout [UInt8]) {
    let (first, second) = (pick(a) & ~3, pick(b) & ~3)
    for index in 0..<4 where max(first, second) + index < bytes.count {
      bytes.swapAt(first + index, second + index)
    }
  }

  private mutating func pick(_ location: Range<Int>) -> Int {
    location.lowerBound + random.number(below: location.count)
  }
}
