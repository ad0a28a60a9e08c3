// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import TaskCommands

extension TaskRun {
  /// Says which model and images there are, and whether they are bundled.
  mutating func describe(_ paths: ImagePaths) {
    heading = [paths.summary] + heading.dropFirst()
    if paths.areImagesBundled { heading.append("images: the bundled samples") }
    members = members.adding([
      "bundled_model": .bool(paths.isModelBundled),
      "bundled_images": .bool(paths.areImagesBundled),
    ])
  }
}

extension FrameInput {
  /// The stream that takes the images' place; nil without `--frames`.
  init?(
    _ arguments: ParsedArguments, _ console: any Console, _ paths: ImagePaths
  ) throws(CommandError) {
    try self.init(arguments, console, images: paths.areImagesBundled ? [] : paths.images)
  }
}
