// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Testing

/// Files of flat blocks, whose pixels are computed by hand.
@Suite struct JPEGStructureTests {
  private func greys(_ file: [UInt8], stride step: Int = 8) throws -> [UInt8] {
    let image = try JPEG.decode(file)
    #expect(image.pixels.count == 4 * image.width * image.height)
    return stride(from: 0, to: image.width, by: step).map { image.pixels[4 * $0] }
  }

  @Test(arguments: [(0, 128), (1, 129), (-28, 100), (127, 255), (300, 255), (-128, 0), (-2000, 0)])
  func `a block's first coefficient moves all samples, within 0 to 255`(
    coefficient: Int, grey: UInt8
  ) throws {
    let image = try JPEG.decode(JPEGWriter.grey.file([coefficient]))
    #expect(image.pixels == Array(repeating: [grey, grey, grey, 255], count: 64).flatMap { $0 })
    #expect(!image.hasAlpha)
  }

  @Test func `first coefficients are differences from the block before`() throws {
    let writer = JPEGWriter(width: 20, height: 3)
    #expect(try greys(writer.file([10, -30, 5])) == [138, 108, 113])
  }

  @Test func `restart markers begin anew`() throws {
    let writer = JPEGWriter(width: 24, height: 8)
    let interval = JPEGWriter.segment(0xDD, [0, 2])
    let data = JPEGWriter.blocks([10, 10]) + [0xFF, 0xD0] + JPEGWriter.blocks([3])
    let file = JPEGWriter.start + JPEGWriter.tables + interval + writer.frame + writer.scan() + data
    #expect(try greys(file + JPEGWriter.end) == [138, 148, 131])
    // Fill bytes before the marker are allowed, and so is a marker behind the last block.
    let filled =
      Array(data.dropLast(JPEGWriter.blocks([3]).count + 2)) + [0xFF, 0xFF, 0xD0]
      + JPEGWriter.blocks([3]) + [0xFF, 0xD1]
    let other = Array(file.dropLast(data.count)) + filled + JPEGWriter.end
    #expect(try greys(other) == [138, 148, 131])
  }

  @Test func `components of any widths are spread over the image`() throws {
    // Differences run on within a component: red 10, 20, 30; green 50, 60; blue 100.
    let image = try JPEG.decode(JPEGWriter.rgb.file([10, 10, 10, 50, 10, 100]))
    for column in 0..<24 {
      let pixel = Array(image.pixels[4 * column..<4 * column + 4])
      let red = UInt8(138 + 10 * (column / 8))
      let green: UInt8 = column * 2 / 3 < 8 ? 178 : 188
      #expect(pixel == [red, green, 228, 255])
    }
  }

  @Test func `the blocks of a lone component follow each other, whatever its factors`() throws {
    let writer = JPEGWriter(
      width: 16, height: 16, components: [.init(identifier: 1, horizontal: 2, vertical: 2)])
    let image = try JPEG.decode(writer.file([1, 1, 1, 1]))
    #expect([0, 8, 128, 136].map { image.pixels[4 * $0] } == [129, 130, 131, 132])
  }

  @Test func `the height may follow the first scan`() throws {
    let writer = JPEGWriter(width: 8, height: 0)
    let lines = JPEGWriter.segment(0xDC, [0, 5])
    let file = Array(writer.file([7]).dropLast(2)) + lines + JPEGWriter.end
    let image = try JPEG.decode(file)
    #expect(image.height == 5)
    #expect(image.pixels[0] == 135)
  }

  @Test func `fill bytes, junk, unknown application data and comments are passed over`() throws {
    let writer = JPEGWriter.grey
    let parts: [[UInt8]] = [
      JPEGWriter.start, JPEGWriter.segment(0xE5, [1, 2, 3]), [0xFF, 0xFF],
      JPEGWriter.segment(0xFE, Array("hello".utf8)), JPEGWriter.tables, [1, 2, 3, 0xFF, 0],
      writer.frame, [0xFF], writer.scan(), JPEGWriter.blocks([20]), [9, 9], JPEGWriter.end,
    ]
    let file = parts.flatMap { $0 }
    #expect(try greys(file) == [148])
    #expect(try greys(file + [1, 2, 3]) == [148])
  }

  @Test func `tables of 16 bits, and tables that change between scans`() throws {
    let deep = JPEGWriter.segment(
      0xDB, [0x10] + Array(repeating: [0, 16], count: 64).flatMap { $0 })
    let writer = JPEGWriter.grey
    let file =
      JPEGWriter.start + deep + JPEGWriter.huffman + writer.frame + writer.scan()
      + JPEGWriter.blocks([20]) + JPEGWriter.end
    #expect(try greys(file) == [168])
    var rgb = JPEGWriter.rgb
    rgb.components = "RGB".utf8.map { .init(identifier: $0) }
    rgb.width = 8
    var scans = JPEGWriter.start + JPEGWriter.tables + rgb.frame
    for (index, component) in rgb.components.enumerated() {
      if index == 1 { scans += deep }
      scans += rgb.scan([component.identifier]) + JPEGWriter.blocks([10])
    }
    let image = try JPEG.decode(scans + JPEGWriter.end)
    #expect(Array(image.pixels.prefix(4)) == [138, 148, 148, 255])
  }

  @Test func `a file without Huffman tables uses the recommended ones`() throws {
    let writer = JPEGWriter.grey
    // Luminance: size 3 is 100, then the bits of 5; the end of the block is 1010.
    var bits = JPEGBits()
    bits.put(0b100_101_1010, count: 10)
    let file =
      JPEGWriter.start + JPEGWriter.quantization + writer.frame + writer.scan() + bits.bytes
      + JPEGWriter.end
    #expect(try greys(file) == [133])
  }

  @Test func `scans give the bits of coefficients one after the other`() throws {
    var writer = JPEGWriter(width: 16, height: 8)
    writer.process = 2
    var first = JPEGBits()
    first.first(5)
    first.first(-3)
    var second = JPEGBits()
    second.put(0b10, count: 2)
    // 5 × 2 + 1 and 2 × 2 + 0.
    let file =
      JPEGWriter.start + JPEGWriter.tables + writer.frame + writer.scan(last: 0, bits: 0x01)
      + first.bytes + writer.scan(last: 0, bits: 0x10) + second.bytes + JPEGWriter.end
    #expect(try greys(file) == [139, 132])
  }

  @Test func `what the header says`() throws {
    let file = JPEGWriter.rgb.file([0, 0, 0, 0, 0, 0])
    let header = try JPEG.header(of: file.span)
    #expect(header.width == 24)
    #expect(header.process == .baseline)
    #expect(header.colorModel == .rgb)
    #expect(header.subsampling == nil)
    #expect(header.samplingFactors.map(\.horizontal) == [3, 2, 1])
  }

  @Test(
    arguments: [
      ("JFIF\0", [1, 2, 3], nil, JPEGColorModel.yCbCr),
      ("JFIF\0", [82, 71, 66], 0, .yCbCr),
      ("", [1, 2, 3], 0, .rgb), ("", [82, 71, 66], nil, .rgb), ("", [82, 71, 66], 1, .yCbCr),
      ("", [9, 7, 5], nil, .yCbCr), ("", [1, 2, 3, 4], nil, .cmyk), ("", [1, 2, 3, 4], 0, .cmyk),
      ("", [1, 2, 3, 4], 2, .ycck),
    ] as [(String, [UInt8], UInt8?, JPEGColorModel)])
  func `which colors three or four components are`(
    jfif: String, identifiers: [UInt8], adobe: UInt8?, model: JPEGColorModel
  ) throws {
    var writer = JPEGWriter.grey
    writer.components = identifiers.map { .init(identifier: $0) }
    var file = JPEGWriter.start
    if !jfif.isEmpty { file += JPEGWriter.segment(0xE0, jfif.utf8 + [1, 1, 0, 0, 1, 0, 1, 0, 0]) }
    if let adobe {
      file += JPEGWriter.segment(0xEE, "Adobe".utf8 + [0, 100, 0, 0, 0, 0, adobe])
    }
    file += writer.frame + writer.scan()
    #expect(try JPEG.header(of: file.span).colorModel == model)
  }
}
