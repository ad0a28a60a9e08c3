// SPDX-License-Identifier: Apache-2.0

/// The second byte of a marker; the first is 0xFF.
struct JPEGMarker: Equatable {
  var code: UInt8

  static let temporary = JPEGMarker(code: 0x01)
  static let huffmanTables = JPEGMarker(code: 0xC4)
  static let arithmeticConditioning = JPEGMarker(code: 0xCC)
  static let startOfImage = JPEGMarker(code: 0xD8)
  static let endOfImage = JPEGMarker(code: 0xD9)
  static let startOfScan = JPEGMarker(code: 0xDA)
  static let quantizationTables = JPEGMarker(code: 0xDB)
  static let numberOfLines = JPEGMarker(code: 0xDC)
  static let restartInterval = JPEGMarker(code: 0xDD)
  static let jfif = JPEGMarker(code: 0xE0)
  static let exif = JPEGMarker(code: 0xE1)
  static let adobe = JPEGMarker(code: 0xEE)
  static let comment = JPEGMarker(code: 0xFE)

  /// The restart marker with a number of 0 to 7.
  static func restart(_ number: Int) -> JPEGMarker { JPEGMarker(code: 0xD0 | UInt8(number & 7)) }

  var isRestart: Bool { code & 0xF8 == 0xD0 }

  /// No length and data follow.
  var standsAlone: Bool { isRestart || self == .temporary }

  /// Application data or a comment, which need not be understood.
  var isIgnorable: Bool { (0xE0...0xEF).contains(code) || self == .comment }

  /// The number of a start-of-frame marker.
  var frameNumber: Int? {
    switch code {
    case 0xC4, 0xC8, 0xCC: nil
    case 0xC0...0xCF: Int(code & 0x0F)
    default: nil
    }
  }

  /// What the start-of-frame marker of a number means.
  static func processName(_ number: Int) -> String {
    switch number {
    case 0: "baseline"
    case 1: "extended sequential"
    case 2: "progressive"
    case 3: "lossless"
    case 5, 6: "hierarchical"
    case 7: "hierarchical lossless"
    case 9: "arithmetic coding"
    case 10: "progressive with arithmetic coding"
    case 11: "lossless with arithmetic coding"
    case 13, 14: "hierarchical with arithmetic coding"
    default: "hierarchical lossless with arithmetic coding"
    }
  }
}

extension JPEGMarker: CustomStringConvertible {
  var description: String {
    switch self {
    case .huffmanTables: "DHT"
    case .startOfImage: "SOI"
    case .endOfImage: "EOI"
    case .startOfScan: "SOS"
    case .quantizationTables: "DQT"
    case .numberOfLines: "DNL"
    case .restartInterval: "DRI"
    case .comment: "COM"
    case _ where isRestart: "RST\(code & 7)"
    case _ where isIgnorable: "APP\(code & 15)"
    default: frameNumber.map { "SOF\($0)" } ?? "0xFF" + String(code, radix: 16, uppercase: true)
    }
  }
}

/// A marker and the data of its segment.
struct JPEGSegment {
  var marker: JPEGMarker
  /// The marker's first byte in the file.
  var offset: Int
  /// The segment's bytes behind its length; empty for markers that stand alone.
  var data: Range<Int>

  func lengthError() -> JPEGError {
    JPEGError(.segmentLength(data.count + 2, marker: marker.code), at: offset)
  }
}

/// Walks the segments of a file, from marker to marker.
struct JPEGSegmentReader {
  /// Where the next segment or compressed data is expected.
  var position = 2

  /// Starts behind the first marker, which it checks.
  init(_ file: Span<UInt8>) throws(JPEGError) {
    guard file.count >= 2 else {
      throw JPEGError(file.isEmpty || file[0] == 0xFF ? .truncated : .signature, at: 0)
    }
    guard file[0] == 0xFF, file[1] == JPEGMarker.startOfImage.code else {
      throw JPEGError(.signature, at: 0)
    }
  }

  /// The next segment; fill bytes and junk before its marker are passed over.
  mutating func next(in file: Span<UInt8>) throws(JPEGError) -> JPEGSegment {
    var offset = position
    while true {
      guard offset + 1 < file.count else { throw JPEGError(.truncated, at: file.count) }
      if file[offset] == 0xFF, file[offset + 1] != 0, file[offset + 1] != 0xFF { break }
      offset += 1
    }
    let marker = JPEGMarker(code: file[offset + 1])
    let start = offset + 2
    guard !marker.standsAlone, marker != .endOfImage, marker != .startOfImage else {
      position = start
      return JPEGSegment(marker: marker, offset: offset, data: start..<start)
    }
    guard file.count - start >= 2 else { throw JPEGError(.truncated, at: file.count) }
    let length = file.bigEndian16(at: start)
    guard length >= 2 else {
      throw JPEGError(.segmentLength(length, marker: marker.code), at: offset)
    }
    guard file.count - start >= length else { throw JPEGError(.truncated, at: file.count) }
    position = start + length
    return JPEGSegment(marker: marker, offset: offset, data: start + 2..<position)
  }
}
