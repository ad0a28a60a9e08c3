// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Testing

/// PNG encoding.
@Suite struct PNGEncodeTests {
  static let sizes = [[1, 1], [1, 9], [9, 1], [33, 17], [257, 3], [300, 200]]

  private func pixels(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7 + $0 * 13) }
  }

  @Test(arguments: PNGLayout.allCases, sizes)
  func `what is encoded is decoded`(layout: PNGLayout, size: [Int]) throws {
    let original = pixels(size[0] * size[1] * layout.channelCount)
    let file = try PNG.encode(original, width: size[0], height: size[1], layout: layout)
    let image = try PNG.decode(file)
    #expect([image.width, image.height] == size)
    var expected: [UInt8] = []
    for start in stride(from: 0, to: original.count, by: layout.channelCount) {
      let pixel = original[start..<start + layout.channelCount]
      expected += layout == .grey ? [pixel[start], pixel[start], pixel[start]] : pixel
      if layout != .rgba { expected.append(255) }
    }
    #expect(image.pixels == expected)
    #expect(image.hasAlpha == (layout == .rgba))
    #expect(try PNG.encode(original, width: size[0], height: size[1], layout: layout) == file)
  }

  @Test func `the header says what was encoded`() throws {
    let file = try PNG.encode(pixels(24), width: 4, height: 2, layout: .rgb)
    let header: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 2, 8, 2, 0, 0, 0]
    #expect(Array(file.prefix(33)) == PNGWriter.signature + PNGWriter.chunk("IHDR", header))
    #expect(Array(file.suffix(12)) == PNGWriter.end)
  }

  @Test func `slopes compress to almost nothing, thanks to filters`() throws {
    let slope = (0..<200 * 200).map { UInt8(truncatingIfNeeded: $0 % 200 + $0 / 200) }
    let file = try PNG.encode(slope, width: 200, height: 200, layout: .grey)
    #expect(file.count < 600)
  }

  @Test func `sizes that do not fit the pixels are refused`() {
    let rows: [(Int, Int, Int, PNGError.Reason)] = [
      (0, 0, 5, .size(width: 0, height: 5)),
      (0, 5, -1, .size(width: 5, height: -1)),
      (12, 2, 3, .pixelByteCount(12, wanted: 18)),
      (3, 1 << 40, 1, .size(width: 1 << 40, height: 1)),
      (3, 1 << 30, 1 << 30, .pixelByteCount(3, wanted: 3 << 60)),
    ]
    for (count, width, height, reason) in rows {
      let error = #expect(throws: PNGError.self) {
        try PNG.encode(pixels(count), width: width, height: height, layout: .rgb)
      }
      #expect(error?.reason == reason)
    }
  }
}
