// SPDX-License-Identifier: Apache-2.0

/// Joins the regions that landmarks of the image before give with those that a detector finds.
///
/// MediaPipe's `association_norm_rect_calculator`.
public enum RectAssociation {
  /// Regions of which no two overlap too far.
  ///
  /// Lists come by rising rank: from the second region on, each one replaces those that it overlaps
  /// too far. For faces and poses, MediaPipe gives the regions of the image before first, so that a
  /// detection wins.
  ///
  /// - Parameters:
  ///   - lists: regions by rising rank.
  ///   - threshold: the greatest overlap, intersection over union, of two regions that both remain.
  /// - Returns: the regions that remain, in their order.
  public static func merged(
    _ lists: [[NormalizedRect]], threshold: Float
  ) -> [NormalizedRect] {
    var result: [NormalizedRect] = []
    for rect in lists.joined() {
      result.removeAll { rect.overlap(with: $0) > threshold }
      result.append(rect)
    }
    return result
  }

  /// Regions of the image before, and those of a detector that overlap none of them too far.
  ///
  /// For hands, the image before wins: MediaPipe's `hand_association_calculator`.
  ///
  /// - Parameters:
  ///   - previous: the regions of the image before, all of which remain.
  ///   - detected: the detector's regions.
  ///   - threshold: the greatest overlap, intersection over union, for a detected region to remain.
  /// - Returns: the regions that remain, in their order.
  public static func completed(
    _ previous: [NormalizedRect], by detected: [NormalizedRect], threshold: Float
  ) -> [NormalizedRect] {
    var result = previous
    for rect in detected where !result.contains(where: { rect.overlap(with: $0) > threshold }) {
      result.append(rect)
    }
    return result
  }
}
