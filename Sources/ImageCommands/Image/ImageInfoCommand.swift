// SPDX-License-Identifier: Apache-2.0

import Formatting
import ImageCodecs
import JSONDocuments

/// `martlet image info`: what an image file is.
enum ImageInfoCommand {
  static let description = CommandDescription(
    "info", "Show an image's size and format, after decoding all of it.",
    arguments: [ImageFiles.argument],
    options: [.json]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("image")
    let bytes = try console.read(path)
    let header: ImageFileHeader
    let image: DecodedImage
    do throws(ImageFileError) {
      header = try ImageFile.header(of: bytes.span)
      image = try ImageFile.decode(bytes, limits: console.limits)
    } catch {
      throw CommandError(error, file: path)
    }
    if arguments.flag("json") {
      let size: JSON = [
        "schema": "martlet/image/1", "width": .integer(image.width),
        "height": .integer(image.height), "format": .string(header.format.rawValue),
      ]
      try console.print(
        size.adding(header.members).adding([
          "alpha": .bool(image.hasAlpha),
          "orientation": image.orientation.map { .string("\($0)") },
          "bytes": .integer(bytes.count),
        ]))
    } else {
      let details = [
        "\(image.width)x\(image.height)", header.summary, image.hasAlpha ? "with alpha" : nil,
        image.orientation.map { "orientation \($0)" }, bytes.count.byteText,
      ]
      let name = header.format.rawValue.uppercased()
      try console.print((name + " " + details.compactMap { $0 }.joined(separator: ", ")).narrow)
    }
    return .success
  }
}

extension ImageFileHeader {
  /// What the format says about pixels, in few words.
  fileprivate var summary: String {
    switch self {
    case .png(let header):
      "\(header.colorType), \(header.bitDepth) bits" + (header.isInterlaced ? ", interlaced" : "")
    case .jpeg(let header):
      "\(header.process.name), \(header.colorModel)" + (header.subsampling.map { " \($0)" } ?? "")
    case .bmp(let header):
      "\(header.bitsPerPixel) bits per pixel"
        + (header.compression.name.map { ", \($0)" } ?? "")
    case .pnm(let header):
      "\(header.kind), samples to \(header.largestSample)" + (header.isText ? ", as text" : "")
    }
  }

  /// The same as members of a document.
  fileprivate var members: JSON {
    switch self {
    case .png(let header):
      [
        "color_type": .string("\(header.colorType)"), "bit_depth": .integer(header.bitDepth),
        "interlaced": .bool(header.isInterlaced),
      ]
    case .jpeg(let header):
      .record([
        "color_type": .string("\(header.colorModel)"), "bit_depth": 8,
        "process": .string(header.process.name),
        "subsampling": header.subsampling.map { .string($0) },
      ])
    case .bmp(let header):
      [
        "bits_per_pixel": .integer(header.bitsPerPixel),
        "compression": .string(header.compression.name ?? "none"),
      ]
    case .pnm(let header):
      [
        "color_type": .string("\(header.kind)"),
        "largest_sample": .integer(header.largestSample), "text": .bool(header.isText),
      ]
    }
  }
}

extension JPEGProcess {
  fileprivate var name: String {
    switch self {
    case .baseline: "baseline"
    case .extendedSequential: "extended sequential"
    case .progressive: "progressive"
    }
  }
}

extension BMPCompression {
  /// The usual name, or nil for none.
  fileprivate var name: String? {
    switch self {
    case .none: nil
    case .runLength4: "RLE4"
    case .runLength8: "RLE8"
    case .bitFields, .alphaBitFields: "bit fields"
    }
  }
}
