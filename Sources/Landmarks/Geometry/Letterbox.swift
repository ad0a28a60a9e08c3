// SPDX-License-Identifier: Apache-2.0

/// What was added around a region so that it has the proportions of a model's input, as fractions of
/// the padded region.
public struct Letterbox: Sendable, Hashable {
  /// The part of the padded region's width on the left, which is also that on the right.
  public var horizontal: Float
  /// The part of the padded region's height on top, which is also that on the bottom.
  public var vertical: Float

  /// Padding from its parts on one side each.
  public init(horizontal: Float, vertical: Float) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// No padding.
  public static let none = Letterbox(horizontal: 0, vertical: 0)

  /// A region with the proportions of a model's input, and what was added to it.
  ///
  /// The shorter side grows on both ends: MediaPipe's `PadRoi`.
  ///
  /// - Parameters:
  ///   - rect: the region, in pixels.
  ///   - columns: columns of the model's input.
  ///   - rows: rows of the model's input.
  /// - Returns: the region that fits the input, and the padding.
  /// - Throws: `LandmarkError` for a region without area or an input without pixels.
  public static func fitting(
    _ rect: RotatedRect, columns: Int, rows: Int
  ) throws(LandmarkError) -> (rect: RotatedRect, padding: Letterbox) {
    guard columns > 0, rows > 0 else {
      throw .invalidOption("an input of \(columns)x\(rows) pixels has no proportions")
    }
    guard rect.isUsable else { throw .invalidRect("a region needs finite numbers and an area") }
    let wanted = Float(rows) / Float(columns)
    let own = rect.height / rect.width
    var fitting = rect
    if wanted > own {
      fitting.height = rect.width * wanted
      return (fitting, Letterbox(horizontal: 0, vertical: (1 - own / wanted) / 2))
    }
    fitting.width = rect.height / wanted
    return (fitting, Letterbox(horizontal: (1 - wanted / own) / 2, vertical: 0))
  }

  /// Points in the padded region as points in the region itself, both as fractions.
  ///
  /// - Parameter points: points in the padded region.
  /// - Returns: the points in the same order, depth scaled as x.
  public func removed(from points: [Landmark]) -> [Landmark] {
    points.map { point in
      var point = point
      point.x = (point.x - horizontal) / (1 - 2 * horizontal)
      point.y = (point.y - vertical) / (1 - 2 * vertical)
      point.z /= 1 - 2 * horizontal
      return point
    }
  }

  /// Detections in the padded region as detections in the region itself, both as fractions.
  ///
  /// - Parameter detections: detections in the padded region.
  /// - Returns: the detections in the same order.
  public func removed(from detections: [KeyPointDetection]) -> [KeyPointDetection] {
    detections.map { detection in
      var detection = detection
      detection.left = (detection.left - horizontal) / (1 - 2 * horizontal)
      detection.top = (detection.top - vertical) / (1 - 2 * vertical)
      detection.width /= 1 - 2 * horizontal
      detection.height /= 1 - 2 * vertical
      detection.keyPoints = removed(from: detection.keyPoints)
      return detection
    }
  }
}
