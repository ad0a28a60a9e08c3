// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging

/// `martlet image resize`: an image in another size.
enum ImageResizeCommand {
  static let description = CommandDescription(
    "resize", "Write an image in another size.",
    discussion: """
      The filter 'antialiased' is Pillow's bilinear one; 'bilinear' is that of TensorFlow and \
      of phones, which skips pixels when it shrinks a lot; 'libyuv' is the same in fixed point.
      """,
    arguments: [
      ImageFiles.argument,
      ArgumentDescription(
        "output", "The PNG file to write; --output may name it instead.", isOptional: true,
        completion: .files(["png"])),
    ],
    options: [
      .output(["png"]),
      .value("size", "width x height", "The size in pixels, such as 224x224."),
      .choice(
        "mode", ["stretch", "crop", "letterbox"], "What to do about other proportions.",
        defaultValue: "stretch"),
      .choice(
        "filter", ResizeFilter.words, "How new pixels are computed.",
        defaultValue: "bilinear"),
      .json,
    ]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("image")
    let output = try output(arguments)
    guard let text = arguments.value("size") else { throw arguments.usage("missing '--size'") }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0
    else { throw arguments.usage("'\(text)' for '--size', wanted WIDTHxHEIGHT") }
    let decoded = try console.image(at: path)
    let file: [UInt8]
    do {
      let image = PixelBuffer(decoded).upright(from: decoded.orientation ?? .up)
      let fitted = try image.converted(to: decoded.hasAlpha ? .rgba8 : .rgb8).fitted(
        toWidth: width, height: height, mode: FitMode(arguments.value("mode")),
        filter: ResizeFilter(arguments.value("filter")))
      file = try PNG.encode(
        fitted.image.bytes, width: width, height: height,
        layout: decoded.hasAlpha ? .rgba : .rgb)
    } catch {
      throw .data("\(error)", location: path)
    }
    try console.write(file, to: output)
    if arguments.flag("json") {
      try console.print(ImageCommand.document(width: width, height: height, output: output))
    }
    return .success
  }

  /// The path that the second argument or `--output` gives.
  private static func output(_ arguments: ParsedArguments) throws(CommandError) -> String {
    let path = arguments.argument("output")
    guard path == nil || arguments.value("output") == nil else {
      throw arguments.usage("two outputs, by position and by --output")
    }
    let output = if let path { path } else { try arguments.output() }
    try arguments.checkPNG(output, option: "output")
    return output
  }
}
