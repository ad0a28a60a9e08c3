// SPDX-License-Identifier: Apache-2.0

/// Decodes blocks from compressed data (T.81, F.2 and G.2).
struct BlockDecoder {
  /// The Huffman tables of a component; a class, for it is handed over with each block.
  final class Tables: Sendable {
    let dc: HuffmanTable
    let ac: HuffmanTable

    init(dc: HuffmanTable, ac: HuffmanTable) {
      self.dc = dc
      self.ac = ac
    }
  }

  var reader = BitReader()

  private let kind: JPEGScan.Kind
  private let firstCoefficient: Int
  private let lastCoefficient: Int
  private let lowBit: Int

  /// The first coefficient of each component's last block.
  private var predictions = InlineArray<4, Int32>(repeating: 0)

  /// Blocks that follow without coefficients of the band.
  private var emptyBlockCount = 0

  init(_ scan: JPEGScan) {
    kind = scan.kind
    firstCoefficient = scan.band.lowerBound
    lastCoefficient = scan.band.upperBound
    lowBit = scan.lowBit
  }

  /// Forgets what earlier blocks said.
  mutating func restart() {
    predictions = InlineArray(repeating: 0)
    emptyBlockCount = 0
  }

  /// Adds to a block what the scan says about it.
  @inline(__always)
  mutating func decode(
    _ block: inout MutableSpan<Int16>, component: Int, _ tables: Tables
  ) throws(EntropyFault) {
    switch kind {
    case .sequential: try decodeWhole(&block, component: component, tables)
    case .dcFirst: try decodeDC(&block, component: component, tables.dc)
    case .dcRefinement: refineDC(&block)
    case .acFirst: try decodeAC(&block, tables.ac)
    case .acRefinement: try refineAC(&block, tables.ac)
    }
  }

  private mutating func decodeWhole(
    _ block: inout MutableSpan<Int16>, component: Int, _ tables: Tables
  ) throws(EntropyFault) {
    try decodeDC(&block, component: component, tables.dc)
    var index = 1
    while index < 64 {
      let symbol = try reader.symbol(tables.ac)
      let bitCount = symbol & 15
      if bitCount != 0 {
        index &+= symbol &>> 4
        guard index < 64 else { throw .coefficientIndex }
        let value = reader.number(bitCount: bitCount)
        block[Int(zigzag[index])] = Int16(truncatingIfNeeded: value)
        index &+= 1
      } else {
        guard symbol == 0xF0 else { return }
        index &+= 16
      }
    }
  }

  /// Differences wrap around, as numbers of that size exist only in broken files.
  @inline(__always)
  private mutating func decodeDC(
    _ block: inout MutableSpan<Int16>, component: Int, _ table: HuffmanTable
  ) throws(EntropyFault) {
    let bitCount = try reader.symbol(table)
    if bitCount != 0 {
      let difference = reader.number(bitCount: bitCount & 15)
      predictions[component] &+= Int32(truncatingIfNeeded: difference)
    }
    block[0] = Int16(truncatingIfNeeded: predictions[component] &<< Int32(lowBit))
  }

  private mutating func refineDC(_ block: inout MutableSpan<Int16>) {
    if reader.bits(1) == 1 { block[0] |= 1 << Int16(lowBit) }
  }

  private mutating func decodeAC(
    _ block: inout MutableSpan<Int16>, _ table: HuffmanTable
  ) throws(EntropyFault) {
    guard emptyBlockCount == 0 else {
      emptyBlockCount &-= 1
      return
    }
    var index = firstCoefficient
    while index <= lastCoefficient {
      let symbol = try reader.symbol(table)
      let run = symbol &>> 4
      let bitCount = symbol & 15
      if bitCount != 0 {
        index &+= run
        guard index < 64 else { throw .coefficientIndex }
        let value = reader.number(bitCount: bitCount) &<< lowBit
        block[Int(zigzag[index])] = Int16(truncatingIfNeeded: value)
        index &+= 1
      } else if run == 15 {
        index &+= 16
      } else {
        emptyBlockCount = endOfBlocks(run) - 1
        return
      }
    }
  }

  /// The number of blocks, this one included, that have no further coefficients in the band.
  private mutating func endOfBlocks(_ run: Int) -> Int {
    run == 0 ? 1 : 1 << run + reader.bits(run)
  }

  /// Between the coefficients that become known come further bits of those that are.
  private mutating func refineAC(
    _ block: inout MutableSpan<Int16>, _ table: HuffmanTable
  ) throws(EntropyFault) {
    let bit = Int16(1) << Int16(lowBit)
    var index = firstCoefficient
    while emptyBlockCount == 0, index <= lastCoefficient {
      let symbol = try reader.symbol(table)
      var run = symbol >> 4
      var value: Int16 = 0
      if symbol & 15 != 0 {
        value = reader.bits(1) == 1 ? bit : -bit
      } else if run < 15 {
        emptyBlockCount = endOfBlocks(run)
        break
      }
      // Passes `run` coefficients that are still 0 and stops at the next one.
      while index <= lastCoefficient {
        let location = Int(zigzag[index])
        if block[location] != 0 {
          refine(&block[location], by: bit)
        } else if run == 0 {
          block[location] = value
          break
        } else {
          run -= 1
        }
        index += 1
      }
      guard index <= lastCoefficient || value == 0 else { throw .coefficientIndex }
      index += 1
    }
    guard emptyBlockCount > 0 else { return }
    while index <= lastCoefficient {
      let location = Int(zigzag[index])
      if block[location] != 0 { refine(&block[location], by: bit) }
      index += 1
    }
    emptyBlockCount -= 1
  }

  /// Reads the next bit of a coefficient, which counts away from zero.
  private mutating func refine(_ coefficient: inout Int16, by bit: Int16) {
    guard reader.bits(1) == 1, coefficient & bit == 0 else { return }
    coefficient = coefficient > 0 ? coefficient &+ bit : coefficient &- bit
  }
}
