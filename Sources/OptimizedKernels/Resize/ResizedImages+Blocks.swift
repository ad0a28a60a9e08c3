// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension ResizedImages {
  /// Whether whole lines of the images are prepared for all pixels of a line of the result: vectors
  /// do that for so many pixels in the time of one by itself.
  var suitsWholeLines: Bool { width <= 16 * outputWidth }

  /// How the lines of the results are cut into blocks, if an element takes about a nanosecond.
  func blocks(workerCount: Int) -> ImageLines {
    ImageLines(
      imageCount: batchCount, lineCount: outputHeight, mostLines: max(outputHeight, 1),
      nanoseconds: Double(shape.elementCount), workerCount: workerCount)
  }
}
