// SPDX-License-Identifier: Apache-2.0

/// The canonical decomposition of code points (Unicode Standard, sections 3.7 and 3.12).
enum CanonicalDecomposition {
  private static let table: [UInt32: [Unicode.Scalar]] = {
    var table: [UInt32: [Unicode.Scalar]] = [:]
    var value: UInt32 = 0
    for entry in CanonicalDecompositionTable.entries.split(separator: " " as Character) {
      let fields = entry.split(separator: ":" as Character)
      guard fields.count == 2, let distance = UInt32(fields[0], radix: 32) else { continue }
      value += distance
      table[value] = fields[1].split(separator: "," as Character).compactMap { part in
        UInt32(part, radix: 32).flatMap(Unicode.Scalar.init)
      }
    }
    return table
  }()

  /// The code points that one decomposes to, in canonical order; itself where it does not.
  static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    switch scalar.value {
    case ..<0xC0: [scalar]
    case 0xAC00..<0xD7A4: syllable(scalar.value - 0xAC00)
    default: table[scalar.value] ?? [scalar]
    }
  }

  /// The letters of the Hangul syllable with this index.
  private static func syllable(_ index: UInt32) -> [Unicode.Scalar] {
    let final = index % 28
    let letters =
      [0x1100 + index / 588, 0x1161 + index % 588 / 28] + (final == 0 ? [] : [0x11A7 + final])
    return letters.compactMap(Unicode.Scalar.init)
  }
}
