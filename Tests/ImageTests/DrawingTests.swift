// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

/// Drawing.
@Suite struct DrawingTests {
  /// A grey image's rows, `.` for 0 and `#` for 255.
  static func art(_ image: PixelBuffer) -> [String] {
    (0..<image.height).map { row in
      String(
        (0..<image.width).map { column in
          switch image.bytes[row * image.width + column] {
          case 0: "."
          case 255: "#"
          default: "+"
          }
        })
    }
  }

  static func black(_ width: Int, _ height: Int) throws -> PixelBuffer {
    try PixelBuffer(width: width, height: height, format: .grey8, filledWith: .black)
  }

  @Test func `outlines lie inside their edges and are cut off at the image's`() throws {
    var image = try Self.black(8, 6)
    image.stroke(ImageRect(x: 1, y: 1, width: 5, height: 4), thickness: 1, color: .white)
    #expect(
      Self.art(image) == [
        "........", ".#####..", ".#...#..", ".#...#..", ".#####..", "........",
      ])

    image = try Self.black(8, 6)
    image.stroke(ImageRect(x: -3, y: 2.4, width: 8.6, height: 9), thickness: 2, color: .white)
    #expect(
      Self.art(image) == [
        "........", "........", "######..", "######..", "....##..", "....##..",
      ])

    image = try Self.black(4, 3)
    image.stroke(ImageRect(x: 1, y: 0, width: 2, height: 3), thickness: 9, color: .white)
    #expect(Self.art(image) == [".##.", ".##.", ".##."])
  }

  @Test func `translucent fills mix`() throws {
    let red = PixelColor(red: 255, green: 0, blue: 0, alpha: 64)
    var image = try PixelBuffer(width: 2, height: 1, format: .rgb8, filledWith: .white)
    image.fill(ImageRect(x: 1, y: 0, width: 1, height: 1), with: red)
    // 255 × (255 - 64) / 255 = 191.
    #expect(image.bytes == [255, 255, 255, 255, 191, 191])

    let back = PixelColor(red: 0, green: 0, blue: 200, alpha: 128)
    var layered = try PixelBuffer(width: 1, height: 1, format: .bgra8, filledWith: back)
    layered.fill(ImageRect(x: 0, y: 0, width: 1, height: 1), with: red)
    // a = 64 + 128 × 191 / 255 = 159.87; blue = 200 × 95.87 / 159.87 = 119.9; red = 102.1.
    #expect(layered.bytes == [120, 0, 102, 160])

    var clear = try PixelBuffer(
      width: 1, height: 1, format: .rgba8,
      filledWith: PixelColor(red: 1, green: 2, blue: 3, alpha: 0))
    clear.fill(
      ImageRect(x: 0, y: 0, width: 1, height: 1),
      with: PixelColor(red: 9, green: 9, blue: 9, alpha: 0))
    #expect(clear.bytes == [1, 2, 3, 0])
  }

  @Test func `text is drawn dot by dot`() throws {
    var image = try Self.black(12, 9)
    image.draw("Ag", x: 0, y: 0, color: .white)
    #expect(
      Self.art(image) == [
        ".###........", "#...#.......", "#...#..####.", "#####.#...#.", "#...#.#...#.",
        "#...#.#...#.", "#...#..####.", "..........#.", ".......###..",
      ])

    // The first column of dots is left of the image, the last row below it.
    image = try Self.black(7, 3)
    image.draw("I", x: -4, y: 0, scale: 2, color: .white)
    #expect(Self.art(image) == ["####...", "####...", "##....."])
  }

  @Test func `letters lose accents, other scripts become boxes, white space is blank`() throws {
    func drawn(_ text: String) throws -> PixelBuffer {
      var image = try Self.black(60, 9)
      image.draw(text, x: 0, y: 0, color: .white)
      return image
    }
    #expect(try drawn("Ünï Łódź – ’n") == drawn("Uni Lodz - 'n"))
    #expect(try drawn("e\u{301}") == drawn("e"))
    #expect(try drawn("a\tb\nc\u{a0}d") == drawn("a b c d"))
    #expect(try drawn("日本") == drawn("猫犬"))
    #expect(try drawn("日") != drawn(" "))
    var seen: Set<[UInt8]> = []
    for code in UInt8(32)..<128 {
      seen.insert(try drawn(String(UnicodeScalar(code == 127 ? 0xAC : code))).bytes)
    }
    #expect(seen.count == 96, "a character looks like another")
  }

  static let strange: [Double] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e19, -1e19,
    .leastNonzeroMagnitude, -0.0, 0, 0.5, 3, -3, 9.3e18,
  ]

  @Test(arguments: strange)
  func `no rectangle can stop the program`(x: Double) throws {
    var image = try PixelBuffer(width: 9, height: 5, format: .rgba8, filledWith: .black)
    for y in Self.strange {
      for width in Self.strange {
        for height in Self.strange {
          let rect = ImageRect(x: x, y: y, width: width, height: height)
          image.stroke(rect, thickness: 2, color: .white)
          image.fill(rect, with: .distinct(1))
          if let pixels = image.pixels(of: rect) { _ = try image.cropped(to: pixels) }
        }
        image.stroke(
          ImageRect(x: x, y: y, width: width, height: width), thickness: .max, color: .black)
      }
      let annotation = Annotation(
        frame: ImageRect(x: 0, y: 0, width: x, height: y), text: "!", colorIndex: .min)
      _ = image.annotated(with: [annotation], scale: x)
    }
    for location in [Int.min, -1_000_000_000, 0, .max] {
      image.draw("far away", x: location, y: location, scale: location, color: .white)
    }
  }

  @Test func `a box without area, outside, or without a location is not drawn`() throws {
    let image = try PixelBuffer(width: 40, height: 40, format: .rgb8, filledWith: .white)
    let frames = [
      ImageRect(x: 5, y: 5, width: 0, height: 9), ImageRect(x: 50, y: 5, width: 9, height: 9),
      ImageRect(x: 20, y: 20, width: -9, height: 9), ImageRect(x: .nan, y: 5, width: 9, height: 9),
    ]
    #expect(image.annotated(with: frames.map { Annotation(frame: $0, text: "x") }) == image)
  }
}
