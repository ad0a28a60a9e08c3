// SPDX-License-Identifier: Apache-2.0

package import Imaging

/// How the program of a model's maker makes images fit, where options do not say otherwise.
package struct UsualResizing: Sendable, Hashable {
  /// How images of other proportions are made to fit.
  package let fit: FitMode
  /// How images are resized.
  package let filter: ResizeFilter
  /// How the sides between padding become pixels: as Python rounds.
  package let rounding = FloatingPointRoundingRule.toNearestOrEven

  /// Ultralytics' boxes, masks and points: padded on both sides with the gray 114.
  ///
  /// Their `data/augment.py` (`LetterBox`).
  package static let ultralytics = UsualResizing(
    fit: .letterbox(fill: PixelColor(red: 114, green: 114, blue: 114)), filter: .bilinear)

  /// Ultralytics' classifiers: the largest centered part, resized as Pillow does.
  ///
  /// Their `data/augment.py` (`classify_transforms`) resizes first and cuts out then.
  package static let ultralyticsClasses = UsualResizing(
    fit: .centerCrop, filter: .antialiasedBilinear)

  /// What Ultralytics does for a task of its notes.
  ///
  /// - Parameters:
  ///   - task: the task in the notes; nil where they do not say it.
  ///   - outputRanks: the numbers of axes of the model's outputs, which tell classifiers then.
  /// - Returns: how images are resized.
  package static func ultralytics(task: String?, outputRanks: [Int]) -> UsualResizing {
    let classifies = task.map { $0 == "classify" } ?? outputRanks.allSatisfy { $0 <= 2 }
    return classifies ? .ultralyticsClasses : .ultralytics
  }
}
