// SPDX-License-Identifier: Apache-2.0

extension PixelBuffer {
  /// Mixes pixels in 8-bit fixed point, bit for bit as libyuv's `ARGBScale` with
  /// `kFilterBilinear` does on x86-64, for any number of channels.
  ///
  /// Locations are 16.16 fixed point. Shrinking, `step = ⌊input × 2¹⁶ / output⌋` and the first
  /// location is `step / 2 − ½`; enlarging, `step = ⌊(input × 2¹⁶ − 65537) / (output − 1)⌋` from
  /// location 0, so that corners meet corners. Then, by the steps of columns and rows:
  ///
  /// - both even whole numbers: the mean of four pixels, rounded up twice, first vertically;
  /// - both odd whole numbers: the pixel at the position;
  /// - others: vertically `(a (256 − f) + b f + 128) / 256` with 8 bits of fraction, and
  ///   horizontally `(a (127 − f) + b f) / 128` with 7 bits. The weights' sum of 127 darkens a
  ///   little. Where the height grows, columns come first, and columns that keep their number are
  ///   not mixed.
  ///
  /// libyuv rounds the last one to three even-step columns of a width that 4 does not divide in
  /// another way; here all are alike.
  func resizedAsLibyuv(toWidth newWidth: Int, height newHeight: Int) -> PixelBuffer {
    let columns = FixedSteps(from: width, to: newWidth)
    let rows = FixedSteps(from: height, to: newHeight)
    guard let columnStep = columns.wholeStep, let rowStep = rows.wholeStep,
      columnStep % 2 == rowStep % 2
    else { return mixed(columns, rows) }
    return columnStep.isMultiple(of: 2) ? averaged(columns, rows) : picked(columns, rows)
  }

  private func picked(_ columns: FixedSteps, _ rows: FixedSteps) -> PixelBuffer {
    let channelCount = format.channelCount
    var resized: [UInt8] = []
    resized.reserveCapacity(columns.count * rows.count * channelCount)
    for row in 0..<rows.count {
      for column in 0..<columns.count {
        let start = (rows.index(row) * width + columns.index(column)) * channelCount
        resized += bytes[start..<start + channelCount]
      }
    }
    return PixelBuffer(
      checkedWidth: columns.count, height: rows.count, format: format, bytes: resized)
  }

  private func averaged(_ columns: FixedSteps, _ rows: FixedSteps) -> PixelBuffer {
    let channelCount = format.channelCount
    var resized: [UInt8] = []
    resized.reserveCapacity(columns.count * rows.count * channelCount)
    let source = bytes.span
    for row in 0..<rows.count {
      for column in 0..<columns.count {
        let start = (rows.index(row) * width + columns.index(column)) * channelCount
        for location in start..<start + channelCount {
          let left = (Int(source[location]) + Int(source[location + rowByteCount]) + 1) / 2
          let next = location + channelCount
          let right = (Int(source[next]) + Int(source[next + rowByteCount]) + 1) / 2
          resized.append(UInt8(truncatingIfNeeded: (left + right + 1) / 2))
        }
      }
    }
    return PixelBuffer(
      checkedWidth: columns.count, height: rows.count, format: format, bytes: resized)
  }

  private func mixed(_ columns: FixedSteps, _ rows: FixedSteps) -> PixelBuffer {
    var resized: [UInt8] = []
    resized.reserveCapacity(columns.count * rows.count * format.channelCount)
    let keepsColumns = columns.wholeStep == 1 || width == 1
    for row in 0..<rows.count {
      let upper = line(rows.index(row))
      let lower = line(min(rows.index(row) + 1, height - 1))
      let fraction = rows.fraction(row) >> 8
      if keepsColumns {
        resized += columnsOf(mix(upper, lower, fraction), columns)
      } else if rows.grows {
        resized += mix(mix(upper, columns), mix(lower, columns), fraction)
      } else {
        resized += mix(mix(upper, lower, fraction), columns)
      }
    }
    return PixelBuffer(
      checkedWidth: columns.count, height: rows.count, format: format, bytes: resized)
  }

  private func line(_ row: Int) -> [UInt8] {
    Array(bytes[row * rowByteCount..<(row + 1) * rowByteCount])
  }

  /// One column repeated, or all as they are.
  private func columnsOf(_ line: [UInt8], _ columns: FixedSteps) -> [UInt8] {
    width == columns.count
      ? line : Array(Array(repeating: line, count: columns.count).joined())
  }

  /// Two lines with 8 bits of fraction.
  private func mix(_ upper: [UInt8], _ lower: [UInt8], _ fraction: Int) -> [UInt8] {
    guard fraction != 0 else { return upper }
    let (first, second) = (upper.span, lower.span)
    return upper.indices.map { index in
      let sum = Int(first[index]) * (256 - fraction) + Int(second[index]) * fraction + 128
      return UInt8(truncatingIfNeeded: sum >> 8)
    }
  }

  /// A line's neighbors with 7 bits of fraction.
  private func mix(_ line: [UInt8], _ columns: FixedSteps) -> [UInt8] {
    let channelCount = format.channelCount
    let source = line.span
    var mixed: [UInt8] = []
    mixed.reserveCapacity(columns.count * channelCount)
    for column in 0..<columns.count {
      let fraction = columns.fraction(column) >> 9
      let left = columns.index(column) * channelCount
      let right = min(columns.index(column) + 1, width - 1) * channelCount
      for channel in 0..<channelCount {
        let sum =
          Int(source[left + channel]) * (127 - fraction) + Int(source[right + channel]) * fraction
        mixed.append(UInt8(truncatingIfNeeded: sum >> 7))
      }
    }
    return mixed
  }
}

/// The positions of output pixels in the input, in 16.16 fixed point.
private struct FixedSteps {
  let count: Int
  private let first: Int
  private let step: Int
  private let last: Int

  /// Sizes are below 2²⁵, so that all products fit.
  init(from inputCount: Int, to outputCount: Int) {
    count = outputCount
    last = (inputCount - 1) << 16
    if outputCount <= inputCount {
      step = (inputCount << 16) / outputCount
      first = (step >> 1) - 32_768
    } else {
      step = inputCount > 1 ? ((inputCount << 16) - 65_537) / (outputCount - 1) : 0
      first = 0
    }
  }

  /// Whether there are more output pixels than input pixels.
  var grows: Bool { step < 65_536 }

  /// The step where it is a whole number of pixels.
  var wholeStep: Int? { step > 0 && step & 0xffff == 0 ? step >> 16 : nil }

  func index(_ position: Int) -> Int { min(first + position * step, last) >> 16 }

  func fraction(_ position: Int) -> Int { min(first + position * step, last) & 0xffff }
}
