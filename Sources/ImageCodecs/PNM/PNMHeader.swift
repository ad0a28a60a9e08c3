// SPDX-License-Identifier: Apache-2.0

/// What the samples of a PBM, PGM or PPM file are.
public enum PNMKind: Sendable, Hashable, CaseIterable {
  /// One bit per pixel, 1 for black.
  case bitmap
  /// One grey sample.
  case grey
  /// Red, green, blue.
  case rgb
}

/// Size and kind of a PBM, PGM or PPM file.
public struct PNMHeader: Sendable, Hashable {
  /// Columns, 1 or more.
  public let width: Int

  /// Rows, 1 or more.
  public let height: Int

  /// What the samples are.
  public let kind: PNMKind

  /// Samples are written as decimal numbers.
  public let isText: Bool

  /// The value of a sample that means full brightness, 1 to 65535; 1 for bitmaps.
  public let largestSample: Int

  /// The first byte of the pixels.
  let dataOffset: Int

  /// Samples of a pixel.
  var channelCount: Int { kind == .rgb ? 3 : 1 }

  /// The bytes that the pixels take at least.
  var dataByteCount: Int {
    // Sides of at most 2³¹ keep the products from overflowing.
    let sampleCount = width * channelCount * height
    if isText { return kind == .bitmap ? sampleCount : 2 * sampleCount - 1 }
    if kind == .bitmap { return (width + 7) / 8 * height }
    return sampleCount * (largestSample > 255 ? 2 : 1)
  }

  init(_ file: Span<UInt8>) throws(PNMError) {
    guard file.count >= 2 else {
      let isStart = file.isEmpty || file[0] == UInt8(ascii: "P")
      throw PNMError(isStart ? .truncated : .signature, at: 0)
    }
    let digit = Int(file[1]) - Int(UInt8(ascii: "0"))
    guard file[0] == UInt8(ascii: "P"), (1...6).contains(digit) else {
      throw PNMError(.signature, at: 0)
    }
    kind = [.bitmap, .grey, .rgb][(digit - 1) % 3]
    isText = digit <= 3
    var reader = PNMTextReader(position: 2)
    let widthOffset = reader.position
    width = try reader.number(in: file)
    height = try reader.number(in: file)
    guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height) else {
      throw PNMError(.size(width: width, height: height), at: widthOffset)
    }
    largestSample = kind == .bitmap ? 1 : try reader.number(in: file)
    guard (1...65535).contains(largestSample) else {
      throw PNMError(.largestSample(largestSample), at: reader.position)
    }
    // One byte of white space ends the header of binary pixels.
    if !isText {
      guard reader.position < file.count else { throw PNMError(.truncated, at: file.count) }
      guard file[reader.position].isPNMSpace else { throw PNMError(.number, at: reader.position) }
      reader.position += 1
    }
    dataOffset = reader.position
  }
}

/// Reads decimal numbers with white space and comments between them.
struct PNMTextReader {
  var position: Int

  /// The next number of up to ten digits.
  mutating func number(in file: Span<UInt8>) throws(PNMError) -> Int {
    try skipSpace(in: file)
    let start = position
    var value = 0
    while position < file.count, position - start < 10, let digit = file[position].pnmDigit {
      value = 10 * value + digit
      position += 1
    }
    guard position > start else { throw PNMError(.number, at: position) }
    return value
  }

  /// The next digit, which need not be set off from others: 0 or 1.
  mutating func bit(in file: Span<UInt8>) throws(PNMError) -> Int {
    try skipSpace(in: file)
    guard let digit = file[position].pnmDigit else { throw PNMError(.number, at: position) }
    guard digit < 2 else { throw PNMError(.sample(digit, largest: 1), at: position) }
    position += 1
    return digit
  }

  /// Passes white space and comments, which reach from `#` to the end of their line.
  private mutating func skipSpace(in file: Span<UInt8>) throws(PNMError) {
    var isComment = false
    while position < file.count {
      let byte = file[position]
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        isComment = false
      } else if byte == UInt8(ascii: "#") {
        isComment = true
      } else if !isComment, !byte.isPNMSpace {
        return
      }
      position += 1
    }
    throw PNMError(.truncated, at: file.count)
  }
}

extension UInt8 {
  /// Blank, tab, line feed, vertical tab, form feed or carriage return.
  fileprivate var isPNMSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  /// The value of a decimal digit.
  fileprivate var pnmDigit: Int? {
    (0x30...0x39).contains(self) ? Int(self) - 0x30 : nil
  }
}
