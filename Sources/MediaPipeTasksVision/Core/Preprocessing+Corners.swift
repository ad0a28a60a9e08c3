// SPDX-License-Identifier: Apache-2.0

import Imaging
import VisionTasks

extension Preprocessing {
  /// How MediaPipe's tasks make images a model's input: stretched, corner on corner.
  static var mediaPipe: Preprocessing {
    var preprocessing = Preprocessing()
    preprocessing.filter = .cornerBilinear
    preprocessing.fit = .stretch
    return preprocessing
  }
}
