// SPDX-License-Identifier: Apache-2.0

import Foundation
import ImageCodecs
import Testing

/// Files by Pillow and cjpeg, with the pixels that libjpeg-turbo makes of them; see
/// `Images/make_images.py`.
@Suite struct JPEGImageTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "Images")

  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".jpg") }.map { String($0.dropLast(4)) }.sorted()
  }()

  static func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  @Test func `there are images`() {
    #expect(JPEGImageTests.names.count == 37)
  }

  @Test(arguments: names)
  func `every pixel is libjpeg's`(name: String) throws {
    let image = try JPEG.decode(JPEGImageTests.file(name + ".jpg"))
    let expected = try PNM.decode(JPEGImageTests.file(name + ".ppm"))
    #expect(image.width == expected.width)
    #expect(image.height == expected.height)
    let locations = image.pixels.indices.filter { image.pixels[$0] != expected.pixels[$0] }
    #expect(locations.isEmpty)
  }

  @Test func `the orientation is reported`() throws {
    #expect(try JPEG.decode(JPEGImageTests.file("orientation-6.jpg")).orientation == .right)
    #expect(try JPEG.decode(JPEGImageTests.file("orientation-3.jpg")).orientation == .down)
    #expect(try JPEG.decode(JPEGImageTests.file("grey.jpg")).orientation == nil)
  }

  @Test(
    arguments: [
      ("baseline-420", JPEGProcess.baseline, JPEGColorModel.yCbCr, "4:2:0"),
      ("baseline-411", .baseline, .yCbCr, "4:1:1"), ("baseline-440", .baseline, .yCbCr, "4:4:0"),
      ("progressive-444", .progressive, .yCbCr, "4:4:4"), ("grey", .baseline, .grey, nil),
      ("extended-16-bit-tables", .extendedSequential, .yCbCr, "4:2:0"),
      ("rgb", .baseline, .rgb, nil), ("cmyk-progressive", .progressive, .cmyk, nil),
      ("ycck", .baseline, .ycck, "4:4:4"), ("chroma-finer", .baseline, .yCbCr, nil),
    ] as [(String, JPEGProcess, JPEGColorModel, String?)])
  func `the kind of file is reported`(
    name: String, process: JPEGProcess, model: JPEGColorModel, subsampling: String?
  ) throws {
    let file = try JPEGImageTests.file(name + ".jpg")
    let header = try JPEG.header(of: file.span)
    #expect(header.process == process)
    #expect(header.colorModel == model)
    #expect(header.subsampling == subsampling)
  }
}
