// SPDX-License-Identifier: Apache-2.0

@_exported public import CommandCore
import ImageCodecs
import Imaging
import JSONDocuments
import ResourceLimits

/// `martlet image`: images and arrays.
package enum ImageCommand {
  package static let description = CommandDescription(
    "image", "Convert, resize and describe images.",
    subcommands: [
      ImageDecodeCommand.description, ImageEncodeCommand.description,
      ImageResizeCommand.description, ImageInfoCommand.description,
    ])

  /// What a command that has written an image or array prints.
  static func document(width: Int, height: Int, output: String) -> JSON {
    [
      "schema": "martlet/image/1", "width": .integer(width), "height": .integer(height),
      "output": .string(output),
    ]
  }
}
