// SPDX-License-Identifier: Apache-2.0

import Landmarks

/// What makes confidences of a segmentation model's values.
public enum SegmentationActivation: Int8, Sendable, Hashable, CaseIterable {
  /// The value itself.
  case none = 0
  /// `1 / (1 + exp(−value))`.
  case sigmoid = 1
  /// `exp(value) / Σ exp(values of all categories of the pixel)`.
  case softmax = 2

  /// Replaces the values of one pixel by its confidences.
  func apply(to values: inout [Float]) {
    switch self {
    case .none: break
    case .sigmoid:
      for index in values.indices { values[index] = values[index].sigmoid }
    case .softmax: values.applySoftmax()
    }
  }
}
