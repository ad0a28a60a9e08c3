// SPDX-License-Identifier: Apache-2.0

import Landmarks
import MediaPipeTasksCommon

extension Classifications {
  /// The ratings of a face's movements, in the order of the model; nil without any.
  convenience init?(_ blendshapes: [Float]) {
    guard !blendshapes.isEmpty else { return nil }
    let names = FaceBlendshape.names
    self.init(
      headIndex: 0, headName: "",
      categories: blendshapes.enumerated().map { index, score in
        ResultCategory(
          index: index, score: score,
          categoryName: names.indices.contains(index) ? names[index] : nil, displayName: nil)
      })
  }
}
