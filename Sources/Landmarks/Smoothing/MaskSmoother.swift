// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// Filters a mask from image to image: what the model is not sure of takes from the mask before.
///
/// MediaPipe's `segmentation_smoothing_calculator`, whose polynomial stands for 1 - (1 - H)² of the
/// entropy H of a value.
public struct MaskSmoother: Sendable {
  /// The part of the mask before in a value that says nothing, 0.5.
  public let ratio: Float
  private var previous: ConfidenceMask?

  /// A smoother in which the mask before has this part, 0.7 of a pose in MediaPipe.
  public init(ratio: Float = 0.7) { self.ratio = ratio }

  /// Forgets the mask before.
  public mutating func reset() { previous = nil }

  /// The mask after that before.
  ///
  /// - Parameter mask: the mask; another size than before starts anew.
  /// - Returns: the smoothed mask.
  public mutating func apply(_ mask: ConfidenceMask) -> ConfidenceMask {
    guard let before = previous, before.width == mask.width, before.height == mask.height else {
      previous = mask
      return mask
    }
    let values = zip(before.values, mask.values).map { old, new in
      new + (old - new) * (Self.uncertainty(new) * ratio)
    }
    let smooth =
      (try? ConfidenceMask(width: mask.width, height: mask.height, values: values)) ?? mask
    previous = smooth
    return smooth
  }

  /// 1 of a value that says nothing, 0 of a sure one.
  private static func uncertainty(_ value: Float) -> Float {
    let x = (value - 0.5) * (value - 0.5)
    return 1
      - min(1, x * (5.68842 + x * (-0.748699 + x * (-57.8051 + x * (291.309 + x * -624.717)))))
  }
}
