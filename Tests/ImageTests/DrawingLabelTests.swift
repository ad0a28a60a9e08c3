// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

/// Labels on images.
@Suite struct DrawingLabelTests {
  /// The smallest rectangle around all pixels of a color.
  static func extent(of color: PixelColor, in image: PixelBuffer) -> PixelRect? {
    var columns: [Int] = []
    var rows: [Int] = []
    for row in 0..<image.height {
      for column in 0..<image.width {
        let start = (row * image.width + column) * 3
        let pixel = image.bytes[start..<start + 3]
        guard pixel.elementsEqual([color.red, color.green, color.blue]) else { continue }
        columns.append(column)
        rows.append(row)
      }
    }
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
      let bottom = rows.max()
    else { return nil }
    return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let side: Int
    let frame: ImageRect
    let text: String
    let drawn: PixelRect
  }

  // A label of n characters is 6n + 3 dots wide and 12 high; a dot is a pixel below 525 pixels'
  // side.
  static let rows = [
    Row(
      testDescription: "on the box", side: 100,
      frame: ImageRect(x: 10, y: 40, width: 50, height: 30), text: "cat",
      drawn: PixelRect(x: 10, y: 28, width: 50, height: 42)),
    Row(
      testDescription: "without a label", side: 100,
      frame: ImageRect(x: 10, y: 40, width: 50, height: 30), text: "",
      drawn: PixelRect(x: 10, y: 40, width: 50, height: 30)),
    Row(
      testDescription: "moved in from the right edge", side: 100,
      frame: ImageRect(x: 90, y: 40, width: 50, height: 30), text: "cat",
      drawn: PixelRect(x: 79, y: 28, width: 21, height: 42)),
    Row(
      testDescription: "inside a box at the top", side: 100,
      frame: ImageRect(x: 10, y: -5, width: 50, height: 30), text: "cat",
      drawn: PixelRect(x: 10, y: 0, width: 50, height: 25)),
    Row(
      testDescription: "long text is cut to the image", side: 100,
      frame: ImageRect(x: 10, y: 40, width: 50, height: 30),
      text: String(repeating: "cat ", count: 1000),
      drawn: PixelRect(x: 1, y: 28, width: 99, height: 42)),
    Row(
      testDescription: "twice as large", side: 700,
      frame: ImageRect(x: 100, y: 100, width: 10, height: 10), text: "cat",
      drawn: PixelRect(x: 100, y: 76, width: 42, height: 34)),
  ]

  @Test(arguments: rows)
  func `labels stay inside the image, near their box`(row: Row) throws {
    let image = try PixelBuffer(
      width: row.side, height: row.side, format: .rgb8, filledWith: .black)
    let annotation = Annotation(frame: row.frame, text: row.text, colorIndex: 1)
    let annotated = image.annotated(with: [annotation])
    #expect(Self.extent(of: .distinct(1), in: annotated) == row.drawn)
  }

  @Test func `labels of equal boxes do not cover each other`() throws {
    let image = try PixelBuffer(width: 200, height: 200, format: .rgb8, filledWith: .black)
    let frame = ImageRect(x: 40, y: 50, width: 90, height: 90)
    let annotated = image.annotated(
      with: (0..<3).map { Annotation(frame: frame, text: "cat", colorIndex: $0) })
    for index in 0..<3 {
      let extent = try #require(Self.extent(of: .distinct(index), in: annotated))
      #expect(extent.width >= 21 && extent.height >= 12, "label \(index) is covered")
    }
  }

  @Test func `tiny images and any format take labels`() throws {
    for format in PixelFormat.allCases {
      for side in 1...20 {
        let image = try PixelBuffer(width: side, height: 3, format: format, filledWith: .white)
        let frame = ImageRect(x: 0, y: 0, width: 9, height: 9)
        let annotated = image.annotated(with: [Annotation(frame: frame, text: "cat 0.64")])
        #expect(annotated != image && annotated.format == format)
      }
    }
  }

  @Test func `neighboring colors differ and carry legible text`() {
    let colors = (0..<16).map { PixelColor.distinct($0) }
    #expect(Set(colors).count == 16)
    #expect(PixelColor.distinct(-1) == colors[15] && PixelColor.distinct(16) == colors[0])
    for color in colors {
      #expect(abs(Int(color.luma) - Int(color.legibleTextColor.luma)) >= 100)
    }
  }
}
