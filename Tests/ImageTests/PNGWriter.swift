// SPDX-License-Identifier: Apache-2.0

/// A second, dumber PNG writer: every format, no compression, checksums bit by bit.
struct PNGWriter: Sendable {
  var width: Int
  var height: Int
  var bitDepth: Int
  var colorType: UInt8
  var isInterlaced = false
  /// The filter types of a pass's rows, over and over.
  var filters: [UInt8] = [0]
  /// All samples, row by row, channels side by side.
  var samples: [UInt16]
  var chunksBeforeData: [[UInt8]] = []
  /// Bytes per `IDAT` chunk.
  var dataChunkSize = 1 << 20

  var channelCount: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 0 }

  var file: [UInt8] {
    var chunks = [header] + chunksBeforeData
    let data = PNGWriter.zlibStream(scanlines)
    for start in stride(from: 0, to: data.count, by: dataChunkSize) {
      chunks.append(PNGWriter.chunk("IDAT", Array(data[start...].prefix(dataChunkSize))))
    }
    return PNGWriter.file(chunks + [PNGWriter.end])
  }

  var header: [UInt8] {
    PNGWriter.chunk(
      "IHDR",
      PNGWriter.bytes(width) + PNGWriter.bytes(height)
        + [UInt8(bitDepth), colorType, 0, 0, isInterlaced ? 1 : 0])
  }

  /// The rows of all passes with filter types and filters.
  var scanlines: [UInt8] {
    guard isInterlaced else {
      return pass(columns: Array(0..<width), rows: Array(0..<height))
    }
    // The letters of the specification's image: the pass of each pixel in an 8 × 8 square.
    let square = [
      [1, 6, 4, 6, 2, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7], [5, 6, 5, 6, 5, 6, 5, 6],
      [7, 7, 7, 7, 7, 7, 7, 7], [3, 6, 4, 6, 3, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7],
      [5, 6, 5, 6, 5, 6, 5, 6], [7, 7, 7, 7, 7, 7, 7, 7],
    ]
    return (1...7).flatMap { number in
      let rows = (0..<height).filter { square[$0 % 8].contains(number) }
      let columns = (0..<width).filter { column in
        square.contains { $0[column % 8] == number }
      }
      return pass(columns: columns, rows: rows)
    }
  }

  private func pass(columns: [Int], rows: [Int]) -> [UInt8] {
    guard !columns.isEmpty else { return [] }
    var above: [UInt8]?
    var result: [UInt8] = []
    for (index, row) in rows.enumerated() {
      let line = pack(columns.flatMap { pixel(column: $0, row: row) })
      let filter = filters[index % filters.count]
      result += [filter] + filtered(line, above: above ?? line.map { _ in 0 }, filter: filter)
      above = line
    }
    return result
  }

  private func pixel(column: Int, row: Int) -> ArraySlice<UInt16> {
    samples[((row * width + column) * channelCount)...].prefix(channelCount)
  }

  private func pack(_ samples: [UInt16]) -> [UInt8] {
    var bits = samples.flatMap { sample in
      (0..<bitDepth).reversed().map { UInt8(truncatingIfNeeded: sample >> $0) & 1 }
    }
    while !bits.count.isMultiple(of: 8) { bits.append(1) }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }

  private func filtered(_ line: [UInt8], above: [UInt8], filter: UInt8) -> [UInt8] {
    let step = max(1, bitDepth * channelCount / 8)
    return line.indices.map { index in
      let a = index < step ? 0 : Int(line[index - step])
      let b = Int(above[index])
      let c = index < step ? 0 : Int(above[index - step])
      let estimate = a + b - c
      let nearest =
        abs(estimate - a) <= abs(estimate - b) && abs(estimate - a) <= abs(estimate - c)
        ? a : abs(estimate - b) <= abs(estimate - c) ? b : c
      let prediction = [0, a, b, (a + b) / 2, nearest][Int(filter) % 5]
      return UInt8(truncatingIfNeeded: Int(line[index]) - prediction)
    }
  }
}

/// The parts of a file.
extension PNGWriter {
  static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
  static let end = chunk("IEND", [])

  static func file(_ chunks: [[UInt8]]) -> [UInt8] { signature + chunks.flatMap(\.self) }

  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bytes(data.count) + body + bytes(Int(checksum(body)))
  }

  static func bytes(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
  }

  /// A zlib stream of stored blocks.
  static func zlibStream(_ content: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = content[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(65_535)
      let low = UInt8(block.count & 255)
      let high = UInt8(block.count >> 8)
      stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high]
      stream += block
    } while !rest.isEmpty
    return stream + bytes(Int(adler(content)))
  }

  static func adler(_ content: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in content {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  /// A zlib stream of `1 + 258 × repetitions` zero bytes in one block of fixed codes.
  static func zlibZeros(repetitions: Int) -> [UInt8] {
    var bits: [UInt8] = [1, 1, 0]  // last block, fixed codes
    bits += [0, 0, 1, 1, 0, 0, 0, 0]  // the literal 0
    for _ in 0..<repetitions {
      bits += [1, 1, 0, 0, 0, 1, 0, 1]  // length 258
      bits += [0, 0, 0, 0, 0]  // distance 1
    }
    bits += [0, 0, 0, 0, 0, 0, 0]  // end of block
    while !bits.count.isMultiple(of: 8) { bits.append(0) }
    let packed = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reversed().reduce(0) { $0 << 1 | $1 }
    }
    // The sum of zeros is 1; the sum of the sums is their number.
    let count = (1 + 258 * repetitions) % 65_521
    return [0x78, 0x01] + packed + bytes(count << 16 | 1)
  }
}
