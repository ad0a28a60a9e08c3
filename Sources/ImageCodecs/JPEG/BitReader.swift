// SPDX-License-Identifier: Apache-2.0

/// The bits of compressed data between two markers.
///
/// Behind the last bit follow zeros without end; `isOverrun` says that some were taken.
struct BitReader {
  // The data without its stuffed zeros, four bytes to a word.
  private var words: [UInt32] = []
  private var bitCount = 0
  private var nextWord = 0

  // Bits taken from `words`, the next one in the most significant bit.
  private var buffer: UInt64 = 0
  private var bufferedCount = 0

  private var start = 0

  /// The marker that ends the data.
  private(set) var marker = JPEGMarker.endOfImage

  /// The first byte of that marker.
  private(set) var markerOffset = 0

  /// Starts reading the data that begins at `position` and ends at the next marker.
  ///
  /// A byte of 0xFF in the data is followed by a zero, which is dropped.
  mutating func load(_ file: Span<UInt8>, from position: Int) throws(JPEGError) {
    words.removeAll(keepingCapacity: true)
    start = position
    var offset = position
    var word: UInt32 = 0
    var byteCount = 0
    while true {
      guard offset < file.count else { throw JPEGError(.truncated, at: file.count) }
      let byte = file[offset]
      offset += 1
      if byte == 0xFF {
        guard offset < file.count else { throw JPEGError(.truncated, at: file.count) }
        let code = file[offset]
        if code == 0xFF { continue }
        if code != 0 {
          marker = JPEGMarker(code: code)
          markerOffset = offset - 1
          break
        }
        offset += 1
      }
      word = word << 8 | UInt32(byte)
      byteCount &+= 1
      if byteCount & 3 == 0 { words.append(word) }
    }
    let surplus = byteCount & 3
    if surplus > 0 { words.append(word << UInt32(8 * (4 - surplus))) }
    bitCount = 8 * byteCount
    nextWord = 0
    buffer = 0
    bufferedCount = 0
  }

  /// More bits have been taken than there are.
  var isOverrun: Bool { 32 &* nextWord &- bufferedCount > bitCount }

  /// The byte of the file that the next bit is in.
  func offset(in file: Span<UInt8>) -> Int {
    var offset = start
    var rest = max(0, min(bitCount, 32 * nextWord - bufferedCount)) / 8
    while rest > 0, offset < markerOffset {
      offset += file[offset] == 0xFF ? 2 : 1
      rest -= 1
    }
    return min(offset, markerOffset)
  }

  /// Makes at least 32 bits available to `peek` and `skip`.
  @inline(__always)
  mutating func refill() {
    guard bufferedCount < 32 else { return }
    let word = nextWord < words.count ? words[nextWord] : 0
    nextWord &+= 1
    buffer |= UInt64(word) &<< UInt64(32 &- bufferedCount)
    bufferedCount &+= 32
  }

  /// The next 1 to 32 bits as a number, after a refill.
  @inline(__always)
  func peek(_ count: Int) -> Int {
    Int(truncatingIfNeeded: buffer &>> UInt64(64 &- count))
  }

  @inline(__always)
  mutating func skip(_ count: Int) {
    buffer &<<= UInt64(count)
    bufferedCount &-= count
  }

  /// The next 1 to 16 bits as a number.
  @inline(__always)
  mutating func bits(_ count: Int) -> Int {
    refill()
    let value = peek(count)
    skip(count)
    return value
  }

  /// The next symbol; at least 16 bits remain to be peeked at.
  @inline(__always)
  mutating func symbol(_ table: HuffmanTable) throws(EntropyFault) -> Int {
    refill()
    let entry = table.shortCodes[peek(HuffmanTable.lookupBitCount)]
    if entry != 0 {
      skip(Int(entry >> 8))
      return Int(entry & 0xFF)
    }
    guard let code = table.longCode(peek(16)) else { throw .huffmanCode }
    skip(code.length)
    return Int(code.symbol)
  }

  /// The number of a size category, 1 to 15 bits, right after its symbol: those whose first bit
  /// is 0 are negative.
  @inline(__always)
  mutating func number(bitCount: Int) -> Int {
    let value = peek(bitCount)
    skip(bitCount)
    let isNegative = value &>> (bitCount &- 1) == 0
    return isNegative ? value &- (1 &<< bitCount) &+ 1 : value
  }
}

/// What can be wrong with compressed data.
enum EntropyFault: Error {
  case huffmanCode
  case coefficientIndex

  var reason: JPEGError.Reason {
    switch self {
    case .huffmanCode: .huffmanCode
    case .coefficientIndex: .coefficientIndex
    }
  }
}
