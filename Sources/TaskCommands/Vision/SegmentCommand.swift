// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging

/// `martlet segment`: which pixels of images belong to what.
package enum SegmentCommand {
  package static let description = CommandDescription(
    "segment", "Say which pixels of images belong to what.",
    discussion: """
      The model gives each pixel scores for categories, a single score for a foreground, or the \
      number of its category. --annotate draws the categories over the image, --mask writes their \
      numbers as a PNG file of colors with the numbers as its palette's indices, and --background \
      keeps only the foreground.
      """,
    arguments: ImageTaskCommand.arguments,
    options: [
      ImageTaskCommand.annotate("the categories with a legend"),
      .value(
        "mask", "png", "Write the numbers of the categories of the only image.",
        completion: .files(["png"])),
      .value(
        "background", "none|blur",
        "With --annotate: keep the foreground alone, or blur what is behind it."),
    ] + SegmentTask.descriptions + FrameInput.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    let command = try ImageTaskCommand(.segment, arguments, console)
    guard let mask = arguments.value("mask") else { return try command.run() }
    guard !command.setup.areFrames else {
      throw arguments.usage("--mask beside --frames, wanted one image")
    }
    guard command.images.count == 1 else {
      throw arguments.usage("--mask beside \(command.images.count) images, wanted one")
    }
    try arguments.checkPNG(mask, option: "mask")
    var numbers: CategoryMask?
    let code = try command.run { task, subject, location throws(CommandError) in
      let answer = try task.answer(subject, at: location)
      numbers = answer.mask
      return answer
    }
    guard let numbers else { return code }
    let file: [UInt8]
    do throws(PNGError) { file = try numbers.encodedAsPNG() } catch {
      throw .data("\(error)", location: mask)
    }
    try console.write(file, to: mask)
    return code
  }
}
