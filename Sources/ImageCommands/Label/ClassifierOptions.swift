// SPDX-License-Identifier: Apache-2.0

import VisionTasks

extension ImageClassifier.Options {
  /// What `--threshold`, the options of labels and those of images ask for.
  init(
    _ arguments: ParsedArguments, _ computation: ComputationOptions, _ console: any Console
  ) throws(CommandError) {
    self.init()
    classes = try ClassificationOptions(arguments, try LabelOptions(arguments, console))
    interpreter = computation.interpreter
    preprocessing = try ImageOptions(arguments).preprocessing
  }
}
