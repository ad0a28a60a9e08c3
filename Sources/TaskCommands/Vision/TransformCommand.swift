// SPDX-License-Identifier: Apache-2.0

/// `martlet transform`: images that a model makes of images.
package enum TransformCommand {
  private static let output = "output"

  package static let description = CommandDescription(
    "transform", "Make images of images: larger, in another style, or of how far things are.",
    discussion: """
      The model takes an image and gives one: of super-resolution, style or restoration; or, with \
      --depth, a number for each pixel, which becomes a color. Images larger than the model's input \
      are computed in tiles where its output is larger, too.
      """,
    arguments: ImageTaskCommand.arguments,
    options: [
      .value(
        output, letter: "o", "png|folder",
        "The image to write; of several images, a folder.", completion: .files(["png"]))
    ] + TransformTask.descriptions + FrameInput.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    let command = try ImageTaskCommand(.transform, writing: output, arguments, console)
    guard arguments.value(output) != nil else {
      throw arguments.usage("missing '--output', the image to write")
    }
    return try command.run()
  }
}
