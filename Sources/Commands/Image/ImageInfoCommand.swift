// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Verification

/// `martlet image info`: what a PNG file is.
enum ImageInfoCommand {
  static let description = CommandDescription(
    "info", "Show a PNG file's size and format, after decoding all of it.",
    arguments: [ArgumentDescription("picture", "A PNG file.", completion: .files(["png"]))],
    options: [.json]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("picture")
    let bytes = try console.read(path)
    let header: PNGHeader
    let image: DecodedImage
    do throws(PNGError) {
      header = try PNG.header(of: bytes.span)
      image = try PNG.decode(bytes)
    } catch {
      throw CommandError(error, file: path)
    }
    if arguments.flag("json") {
      try console.print(
        .record([
          "schema": "martlet/image/1", "width": .integer(image.width),
          "height": .integer(image.height), "format": "png",
          "color_type": .string("\(header.colorType)"), "bit_depth": .integer(header.bitDepth),
          "interlaced": .bool(header.isInterlaced), "alpha": .bool(image.hasAlpha),
          "orientation": image.orientation.map { .string("\($0)") },
          "bytes": .integer(bytes.count),
        ]))
    } else {
      let details = [
        "\(image.width)x\(image.height)", "\(header.colorType)", "\(header.bitDepth) bits",
        header.isInterlaced ? "interlaced" : nil, image.hasAlpha ? "with alpha" : nil,
        image.orientation.map { "orientation \($0)" }, bytes.count.byteText,
      ]
      try console.print("PNG " + details.compactMap { $0 }.joined(separator: ", "))
    }
    return .success
  }
}
