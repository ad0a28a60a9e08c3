// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Npy
import Tensors

/// `martlet image decode`: a picture's pixels as an npy array.
enum ImageDecodeCommand {
  static let description = CommandDescription(
    "decode", "Write a picture's pixels as an npy array.",
    discussion: """
      The array is uint8 [height, width, 4]: red, green, blue, alpha as stored. Of samples \
      with 16 bits, the high byte is taken.
      """,
    arguments: [ImageCommand.picture],
    options: [.output(["npy"]), .json]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("picture")
    let output = try arguments.output()
    let picture = try console.picture(at: path)
    let array: NpyArray
    do throws(NpyError) {
      // A decoded picture has sides that fit a shape.
      let shape = try? Shape([picture.height, picture.width, 4])
      array = try NpyArray(.uint8, shape ?? [], bytes: picture.pixels)
    } catch {
      throw .npy(error, file: path)
    }
    try console.write(array.encoded(), to: output)
    if arguments.flag("json") {
      try console.print(
        ImageCommand.document(width: picture.width, height: picture.height, output: output))
    }
    return .success
  }
}
