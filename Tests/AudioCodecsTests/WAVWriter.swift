// SPDX-License-Identifier: Apache-2.0

/// Builds WAV files field by field, also wrong ones.
struct WAVWriter: Sendable {
  var form = "RIFF"
  var formByteCount: Int?
  var type = "WAVE"
  var tag = 1
  var channels = 1
  var rate = 16_000
  var frameByteCount: Int?
  var bits = 16
  /// Bytes of the chunk `fmt ` after the first 16.
  var extra: [UInt8] = []
  /// The bytes of the chunk `fmt ` that are written; nil for all.
  var formatByteCount: Int?
  /// Chunks before the samples.
  var before: [(name: String, bytes: [UInt8])] = []
  /// A chunk before the samples whose size is 0xFFFFFFFF.
  var unsized: (name: String, bytes: [UInt8])?
  var dataByteCount: Int?
  var data: [UInt8] = [0, 0x40, 0, 0xC0]
  var after: [UInt8] = []

  var isBigEndian: Bool { form == "RIFX" }

  func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
    let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  func chunk(_ name: String, _ bytes: [UInt8], byteCount: Int? = nil) -> [UInt8] {
    Array(name.utf8) + number(byteCount ?? bytes.count, 4) + bytes
      + (bytes.count % 2 == 1 ? [0] : [])
  }

  var format: [UInt8] {
    let bytes =
      number(tag, 2) + number(channels, 2) + number(rate, 4) + number(0, 4)
      + number(frameByteCount ?? channels * ((bits + 7) / 8), 2) + number(bits, 2) + extra
    return Array(bytes.prefix(formatByteCount ?? .max))
  }

  /// What follows the first 16 bytes in `WAVE_FORMAT_EXTENSIBLE`.
  func extensible(tag: Int, validBits: Int, mask: Int) -> [UInt8] {
    number(22, 2) + number(validBits, 2) + number(mask, 4) + number(tag, 4) + number(0, 2)
      + number(0x10, 2) + [0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
  }

  var file: [UInt8] {
    var chunks = before.flatMap { chunk($0.name, $0.bytes) }
    if let unsized { chunks += chunk(unsized.name, unsized.bytes, byteCount: 0xFFFF_FFFF) }
    if formatByteCount != 0 { chunks += chunk("fmt ", format) }
    chunks += chunk("data", data, byteCount: dataByteCount) + after
    return Array(form.utf8) + number(formByteCount ?? chunks.count + 4, 4) + Array(type.utf8)
      + chunks
  }
}
