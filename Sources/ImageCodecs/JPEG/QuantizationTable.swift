// SPDX-License-Identifier: Apache-2.0

/// The steps of a block's 64 coefficients, row by row.
typealias QuantizationTable = [Int32]

/// The location in a block's rows of each coefficient in the file's order: a zigzag from the lowest
/// frequencies to the highest.
let zigzag: InlineArray<64, UInt8> = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
  58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
]

/// The quantization tables that are defined at some location of a file.
struct QuantizationTables {
  private var tables: [QuantizationTable?] = Array(repeating: nil, count: 4)

  subscript(number: Int) -> QuantizationTable? { tables[number] }

  /// Reads the tables of a `DQT` segment.
  mutating func read(_ segment: JPEGSegment, in file: Span<UInt8>) throws(JPEGError) {
    var position = segment.data.lowerBound
    while position < segment.data.upperBound {
      let number = Int(file[position] & 15)
      let isDeep = file[position] >> 4 == 1
      guard number < 4, file[position] >> 4 < 2 else {
        throw JPEGError(.quantizationTable(number), at: segment.offset)
      }
      position += 1
      let byteCount = isDeep ? 128 : 64
      guard segment.data.upperBound - position >= byteCount else { throw segment.lengthError() }
      var table = QuantizationTable(repeating: 0, count: 64)
      for index in 0..<64 {
        let step = isDeep ? file.bigEndian16(at: position + 2 * index) : Int(file[position + index])
        table[Int(zigzag[index])] = Int32(step)
      }
      tables[number] = table
      position += byteCount
    }
  }
}
