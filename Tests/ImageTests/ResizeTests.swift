// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

/// Resizing.
@Suite struct ResizeTests {
  /// Sizes, and what other programs make of the image `pattern`.
  struct Row: Sendable, CustomTestStringConvertible {
    var width: Int
    var height: Int
    var format: PixelFormat
    var newWidth: Int
    var newHeight: Int
    /// `Image.resize((newWidth, newHeight), BILINEAR)` of Pillow 13.0.
    var pillow: [UInt8]
    /// `image.resize(…, method="bilinear", antialias=False)` of TensorFlow 2, rounded.
    var tensorFlow: [UInt8]

    var testDescription: String { "\(width)x\(height) to \(newWidth)x\(newHeight), \(format)" }

    /// Bytes that look random but are not.
    func pattern() throws -> PixelBuffer {
      try PixelBuffer(
        width: width, height: height, format: format,
        bytes: (0..<width * height * format.channelCount).map {
          UInt8(truncatingIfNeeded: $0 * $0 * 7 + $0 * 31)
        })
    }
  }

  static let rows = [
    Row(
      width: 5, height: 4, format: .grey8, newWidth: 3, newHeight: 2,
      pillow: [88, 101, 143, 212, 142, 42], tensorFlow: [61, 69, 161, 231, 173, 29]),
    Row(
      width: 3, height: 2, format: .grey8, newWidth: 5, newHeight: 4,
      pillow: [
        0, 15, 38, 69, 90, 39, 58, 88, 87, 86, 117, 145, 187, 122, 78, 156, 188, 236, 139, 74,
      ],
      tensorFlow: [
        0, 15, 38, 69, 90, 39, 58, 88, 87, 86, 117, 145, 187, 121, 78, 156, 188, 236, 139, 74,
      ]),
    Row(
      width: 4, height: 3, format: .rgb8, newWidth: 2, newHeight: 5,
      pillow: [
        93, 124, 97, 134, 158, 160, 116, 127, 108, 123, 156, 137, 151, 131, 125, 106, 152, 102,
        122, 115, 144, 114, 129, 158, 103, 105, 157, 119, 113, 195,
      ],
      tensorFlow: [
        78, 137, 82, 130, 145, 174, 116, 140, 101, 111, 142, 136, 174, 145, 130, 82, 137, 78,
        136, 131, 140, 111, 113, 155, 110, 121, 146, 130, 97, 206,
      ]),
    Row(
      width: 7, height: 6, format: .grey8, newWidth: 3, newHeight: 5,
      pillow: [52, 153, 136, 131, 174, 81, 165, 146, 74, 153, 99, 161, 192, 101, 174],
      tensorFlow: [37, 165, 107, 148, 243, 76, 187, 207, 93, 172, 56, 173, 195, 21, 182]),
    Row(
      width: 3, height: 9, format: .grey8, newWidth: 4, newHeight: 2,
      pillow: [121, 130, 131, 124, 127, 130, 128, 122],
      tensorFlow: [176, 125, 118, 157, 46, 74, 88, 85]),
    Row(
      width: 4, height: 4, format: .rgba8, newWidth: 3, newHeight: 3,
      pillow: [
        50, 65, 100, 102, 180, 80, 221, 92, 121, 56, 67, 162, 212, 205, 146, 103, 156, 197, 106,
        98, 140, 192, 98, 49, 183, 156, 122, 104, 125, 166, 49, 104, 148, 153, 85, 60,
      ],
      tensorFlow: [
        69, 75, 96, 123, 197, 79, 209, 98, 129, 64, 56, 198, 218, 217, 103, 109, 154, 164, 124,
        98, 143, 164, 92, 34, 190, 146, 110, 94, 111, 143, 39, 98, 158, 86, 128, 48,
      ]),
    Row(
      width: 6, height: 2, format: .rgb8, newWidth: 1, newHeight: 1, pillow: [118, 131, 137],
      tensorFlow: [120, 133, 160]),
  ]

  @Test(arguments: rows)
  func `antialiased bilinear is Pillow's, bilinear TensorFlow's`(row: Row) throws {
    let image = try row.pattern()
    let antialiased = try image.resized(
      toWidth: row.newWidth, height: row.newHeight, filter: .antialiasedBilinear)
    #expect(antialiased.bytes == row.pillow)
    #expect(antialiased.format == row.format)
    let bilinear = try image.resized(
      toWidth: row.newWidth, height: row.newHeight, filter: .bilinear)
    #expect(bilinear.bytes == row.tensorFlow)
    #expect([bilinear.width, bilinear.height] == [row.newWidth, row.newHeight])
  }

  private func grey(_ width: Int, _ height: Int, _ bytes: [UInt8]) throws -> PixelBuffer {
    try PixelBuffer(width: width, height: height, format: .grey8, bytes: bytes)
  }

  @Test func `bilinear locations, by hand`() throws {
    // Output pixels lie at -¼, ¼, ¾ and 1¼ between the middles of the two.
    let wide = try grey(2, 1, [0, 100]).resized(toWidth: 4, height: 1, filter: .bilinear)
    #expect(wide.bytes == [0, 25, 75, 100])
    let tall = try grey(1, 2, [0, 100]).resized(toWidth: 1, height: 4, filter: .bilinear)
    #expect(tall.bytes == [0, 25, 75, 100])
    // Halving takes the mean of four; its 2.5 goes up.
    let half = try grey(2, 2, [1, 2, 3, 4]).resized(toWidth: 1, height: 1, filter: .bilinear)
    #expect(half.bytes == [3])
    // A third skips what lies between: only the middle pixel counts.
    let third = try grey(3, 1, [0, 9, 255]).resized(toWidth: 1, height: 1, filter: .bilinear)
    #expect(third.bytes == [9])
  }

  @Test func `nearest locations, by hand`() throws {
    let rows: [(from: [UInt8], to: [UInt8])] = [
      ([1, 2], [1, 1, 2, 2]), ([1, 2, 3], [1, 3]), ([1, 2, 3, 4], [2, 4]), ([1, 2, 3], [2]),
      ([1, 2, 3, 4, 5], [1, 3, 5]), ([7], [7, 7, 7]), ([1, 2], [1, 2, 2]),
    ]
    for row in rows {
      let wide = try grey(row.from.count, 1, row.from)
        .resized(toWidth: row.to.count, height: 1, filter: .nearest)
      #expect(wide.bytes == row.to)
      let tall = try grey(1, row.from.count, row.from)
        .resized(toWidth: 1, height: row.to.count, filter: .nearest)
      #expect(tall.bytes == row.to)
    }
  }

  @Test(arguments: ResizeFilter.allCases)
  func `channels stay apart`(filter: ResizeFilter) throws {
    let image = try PixelBuffer(
      width: 3, height: 3, format: .rgb8,
      filledWith: PixelColor(red: 10, green: 200, blue: 33))
    let resized = try image.resized(toWidth: 7, height: 2, filter: filter)
    // The weights of libyuv's columns have a sum of 127 / 128.
    let color: [UInt8] = filter == .libyuvBilinear ? [9, 198, 32] : [10, 200, 33]
    // Corner on corner, the last two columns lie 5 / 32 and 18 / 32 pixel beyond the image's last.
    let dark: [[UInt8]] = [[8, 169, 28], [4, 88, 14]]
    let row =
      filter == .cornerBilinear
      ? (0..<5).flatMap { _ in color } + dark.flatMap(\.self) : (0..<7).flatMap { _ in color }
    #expect(resized.bytes == row + row)
  }

  @Test func `corner on corner, by hand`() throws {
    // From 4 to 2, the first of each two; from 3 to 2, the second halfway from 1 to 2.
    let rows: [(from: [UInt8], to: [UInt8])] = [
      ([10, 20, 30, 40], [10, 30]), ([10, 20, 40], [10, 30]), ([10, 30], [10, 20, 30, 15]),
    ]
    for row in rows {
      let wide = try grey(row.from.count, 1, row.from)
        .resized(toWidth: row.to.count, height: 1, filter: .cornerBilinear)
      #expect(wide.bytes == row.to)
      let tall = try grey(1, row.from.count, row.from)
        .resized(toWidth: 1, height: row.to.count, filter: .cornerBilinear)
      #expect(tall.bytes == row.to)
    }
  }

  @Test(arguments: ResizeFilter.allCases)
  func `the same size is the same image`(filter: ResizeFilter) throws {
    let image = try Self.rows[5].pattern()
    #expect(try image.resized(toWidth: 4, height: 4, filter: filter) == image)
  }

  @Test(arguments: [[0, 1], [1, -1], [1 << 25, 1], [1 << 20, 2000]])
  func `impossible sizes are refused`(size: [Int]) throws {
    let image = try grey(1, 1, [0])
    for filter in ResizeFilter.allCases {
      #expect(throws: ImagingError.size(width: size[0], height: size[1])) {
        try image.resized(toWidth: size[0], height: size[1], filter: filter)
      }
    }
  }
}
