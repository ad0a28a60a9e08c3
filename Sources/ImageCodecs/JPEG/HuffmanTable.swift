// SPDX-License-Identifier: Apache-2.0

/// The codes of a `DHT` segment, ready for looking up.
struct HuffmanTable {
  /// By the next nine bits: the code's length × 256 + its symbol, or 0 for longer codes.
  let shortCodes: [UInt16]

  /// By length: the first 16 bits that begin no code of this length or a shorter one.
  private let limits: [Int]

  /// By length: what to add to a code to get its location among the symbols.
  private let locations: [Int]

  private let symbols: [UInt8]

  static let lookupBitCount = 9

  /// A table without codes, for one that is not used.
  static var empty: HuffmanTable {
    HuffmanTable(
      shortCodes: Array(repeating: 0, count: 1 << lookupBitCount),
      limits: Array(repeating: 0, count: 17), locations: Array(repeating: 0, count: 17), symbols: []
    )
  }

  private init(shortCodes: [UInt16], limits: [Int], locations: [Int], symbols: [UInt8]) {
    self.shortCodes = shortCodes
    self.limits = limits
    self.locations = locations
    self.symbols = symbols
  }

  /// A table from the number of codes of 1 to 16 bits and the symbols, shortest code first.
  ///
  /// Codes are counted up from 0; nil when they do not fit into their bits.
  init?(counts: [Int], symbols: [UInt8]) {
    var shortCodes = [UInt16](repeating: 0, count: 1 << HuffmanTable.lookupBitCount)
    var limits = [0]
    var locations = [0]
    var code = 0
    var location = 0
    for length in 1...16 {
      let count = counts[length - 1]
      guard code + count <= 1 << length, location + count <= symbols.count else { return nil }
      locations.append(location - code)
      if length <= HuffmanTable.lookupBitCount {
        let spread = 1 << (HuffmanTable.lookupBitCount - length)
        for symbol in symbols[location..<location + count] {
          let entry = UInt16(length) << 8 | UInt16(symbol)
          for index in code * spread..<(code + 1) * spread { shortCodes[index] = entry }
          code += 1
        }
      } else {
        code += count
      }
      location += count
      limits.append(code << (16 - length))
      code <<= 1
    }
    self.shortCodes = shortCodes
    self.limits = limits
    self.locations = locations
    self.symbols = symbols
  }

  /// The length and symbol of a code of more than nine bits at the head of 16 bits.
  @inline(never)
  func longCode(_ bits: Int) -> (length: Int, symbol: UInt8)? {
    for length in HuffmanTable.lookupBitCount + 1...16 where bits < limits[length] {
      return (length, symbols[locations[length] + bits >> (16 - length)])
    }
    return nil
  }
}

/// The Huffman tables that are defined at some location of a file.
struct HuffmanTables {
  var dc: [HuffmanTable?] = Array(repeating: nil, count: 4)
  var ac: [HuffmanTable?] = Array(repeating: nil, count: 4)

  /// Reads the tables of a `DHT` segment.
  mutating func read(_ segment: JPEGSegment, in file: Span<UInt8>) throws(JPEGError) {
    var position = segment.data.lowerBound
    while position < segment.data.upperBound {
      guard segment.data.upperBound - position >= 17 else { throw segment.lengthError() }
      let number = Int(file[position] & 15)
      let tableClass = file[position] >> 4
      let counts = (1...16).map { Int(file[position + $0]) }
      let symbolCount = counts.reduce(0, +)
      position += 17
      guard symbolCount <= segment.data.upperBound - position else { throw segment.lengthError() }
      let symbols = file.bytes(position..<position + symbolCount)
      position += symbolCount

      // A difference of more than 15 bits exists only in lossless files.
      let isPossible = tableClass == 1 || symbols.allSatisfy { $0 <= 15 }
      guard number < 4, tableClass < 2, isPossible,
        let table = HuffmanTable(counts: counts, symbols: symbols)
      else { throw JPEGError(.huffmanTable(number), at: segment.offset) }
      if tableClass == 0 { dc[number] = table } else { ac[number] = table }
    }
  }

  /// The tables of a scan's component; for a sequential scan, the standard ones if there are none.
  func tables(
    _ component: JPEGScan.Component, of scan: JPEGScan
  ) throws(JPEGError) -> BlockDecoder.Tables {
    let hasStandard = scan.kind == .sequential
    let dc = HuffmanTables.table(
      component.dcTable, dc, standard: hasStandard ? HuffmanTable.standardDC : [])
    let ac = HuffmanTables.table(
      component.acTable, ac, standard: hasStandard ? HuffmanTable.standardAC : [])
    if dc == nil, scan.needsDCTable {
      throw JPEGError(.missingHuffmanTable(component.dcTable), at: scan.offset)
    }
    if ac == nil, scan.needsACTable {
      throw JPEGError(.missingHuffmanTable(component.acTable), at: scan.offset)
    }
    return BlockDecoder.Tables(dc: dc ?? .empty, ac: ac ?? .empty)
  }

  private static func table(
    _ number: Int, _ defined: [HuffmanTable?], standard: [HuffmanTable?]
  ) -> HuffmanTable? {
    guard number < 4 else { return nil }
    return defined[number] ?? (number < standard.count ? standard[number] : nil)
  }
}
