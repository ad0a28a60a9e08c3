// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Npy
import Tensors

/// `martlet image encode`: an npy array as a PNG file.
enum ImageEncodeCommand {
  static let description = CommandDescription(
    "encode", "Write an npy array of pixels as a PNG file.",
    discussion: """
      The array is uint8 [height, width] or [height, width, channels] with 1 channel (grey), \
      3 (red, green, blue) or 4 (with alpha); an outermost axis of length 1 is ignored.
      """,
    arguments: [ArgumentDescription("array", "An npy file.", completion: .files(["npy"]))],
    options: [.output(["png"]), .json], isReading: false
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("array")
    let output = try arguments.output()
    try arguments.checkPNG(output, option: "output")
    let bytes = try console.read(path)
    let array: NpyArray
    do throws(NpyError) { array = try NpyArray(parsing: bytes.span) } catch {
      throw .npy(error, file: path)
    }
    guard let (width, height, layout) = size(of: array) else {
      throw .data(
        "\(array.elementType) \(array.shape), wanted uint8 [height, width, channels]",
        location: path)
    }
    let file: [UInt8]
    do throws(PNGError) {
      file = try PNG.encode(array.bytes, width: width, height: height, layout: layout)
    } catch {
      throw CommandError(.png(error), file: path)
    }
    try console.write(file, to: output)
    if arguments.flag("json") {
      try console.print(ImageCommand.document(width: width, height: height, output: output))
    }
    return .success
  }

  /// Width, height and channels; nil for arrays that are no image.
  private static func size(of array: NpyArray) -> (width: Int, height: Int, PNGLayout)? {
    guard array.elementType == .uint8 else { return nil }
    var dimensions = array.shape.dimensions
    if dimensions.count == 4, dimensions[0] == 1 { dimensions.removeFirst() }
    if dimensions.count == 2 { dimensions.append(1) }
    guard dimensions.count == 3,
      let layout = PNGLayout.allCases.first(where: { $0.channelCount == dimensions[2] })
    else { return nil }
    return (dimensions[1], dimensions[0], layout)
  }
}
