// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension ResizedImages {
  /// How the lines of the results are cut into blocks, if an element takes about a nanosecond.
  func blocks(workerCount: Int) -> ImageLines {
    ImageLines(
      imageCount: batchCount, lineCount: outputHeight, mostLines: max(outputHeight, 1),
      nanoseconds: Double(shape.elementCount), workerCount: workerCount)
  }
}
