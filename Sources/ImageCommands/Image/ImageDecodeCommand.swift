// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Npy
import Tensors

/// `martlet image decode`: an image's pixels as an npy array.
enum ImageDecodeCommand {
  static let description = CommandDescription(
    "decode", "Write an image's pixels as an npy array.",
    discussion: """
      The array is uint8 [height, width, 4]: red, green, blue, alpha as stored. Of samples \
      with 16 bits, the high byte is taken.
      """,
    arguments: [ImageFiles.argument],
    options: [.output(["npy"]), .json]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("image")
    let output = try arguments.output()
    let image = try console.image(at: path)
    let array: NpyArray
    do throws(NpyError) {
      // A decoded image has sides that fit a shape.
      let shape = try? Shape([image.height, image.width, 4])
      array = try NpyArray(.uint8, shape ?? [], bytes: image.pixels)
    } catch {
      throw .npy(error, file: path)
    }
    try console.write(array.encoded(), to: output)
    if arguments.flag("json") {
      try console.print(
        ImageCommand.document(width: image.width, height: image.height, output: output))
    }
    return .success
  }
}
