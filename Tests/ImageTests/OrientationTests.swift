// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

/// Orientation.
@Suite struct OrientationTests {
  /// What the stored rows `abc`, `def` are when seen upright.
  static let rows: [(orientation: ImageOrientation, upright: [String])] = [
    (.up, ["abc", "def"]),
    (.upMirrored, ["cba", "fed"]),
    (.down, ["fed", "cba"]),
    (.downMirrored, ["def", "abc"]),
    (.leftMirrored, ["ad", "be", "cf"]),
    (.right, ["da", "eb", "fc"]),
    (.rightMirrored, ["fc", "eb", "da"]),
    (.left, ["cf", "be", "ad"]),
  ]

  @Test(arguments: rows)
  func `all eight, by hand`(row: (orientation: ImageOrientation, upright: [String])) throws {
    let stored = try PixelBuffer(
      width: 3, height: 2, format: .grey8, bytes: Array("abcdef".utf8))
    let upright = stored.upright(from: row.orientation)
    #expect(upright.height == row.upright.count)
    #expect(upright.width == row.upright[0].utf8.count)
    #expect(upright.bytes == row.upright.flatMap(\.utf8))
  }

  @Test func `raw values are Exif's`() {
    #expect(ImageOrientation.allCases.map(\.rawValue) == Array(1...8))
    #expect(Self.rows.map(\.orientation) == ImageOrientation.allCases)
    #expect(ImageOrientation.allCases.filter(\.swapsAxes).map(\.rawValue) == [5, 6, 7, 8])
    #expect(ImageOrientation.allCases.filter(\.isMirrored).map(\.rawValue) == [2, 4, 5, 7])
  }

  @Test func `pixels of several bytes move whole`() throws {
    let stored = try PixelBuffer(
      width: 2, height: 1, format: .rgb8, bytes: [1, 2, 3, 4, 5, 6])
    #expect(stored.upright(from: .down).bytes == [4, 5, 6, 1, 2, 3])
    #expect(stored.upright(from: .left).bytes == [4, 5, 6, 1, 2, 3])
    #expect(stored.upright(from: .right).bytes == [1, 2, 3, 4, 5, 6])
  }

  /// A rectangle is moved as the pixels in it are.
  @Test(arguments: ImageOrientation.allCases)
  func `rectangles go both ways`(orientation: ImageOrientation) throws {
    let stored = try PixelBuffer(
      width: 5, height: 4, format: .grey8, bytes: Array(0..<20))
    let upright = stored.upright(from: orientation)
    let rect = ImageRect(x: 1, y: 2, width: 2, height: 1)
    let pixels = try upright.cropped(to: PixelRect(x: 1, y: 2, width: 2, height: 1)).bytes
    let back = orientation.storedRect(rect, storedWidth: 5, storedHeight: 4)
    let found = try stored.cropped(
      to: PixelRect(
        x: Int(back.x), y: Int(back.y), width: Int(back.width), height: Int(back.height)))
    #expect(found.bytes.sorted() == pixels.sorted())
    #expect(orientation.uprightRect(back, storedWidth: 5, storedHeight: 4) == rect)
  }
}
