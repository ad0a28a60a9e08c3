// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How box encodings with key points and scores for each anchor become detections.
///
/// With an anchor's center and size, all as fractions of the input:
///
///     center = encoding / scale × anchor size + anchor center
///     size = encoding / scale × anchor size       or  exp(encoding / scale) × anchor size
///     key point = encoding / scale × anchor size + anchor center
///
/// MediaPipe's `tensors_to_detections_calculator`.
public struct AnchorDetectionDecoder: Sendable, Hashable {
  /// What the four numbers of a box are.
  public enum BoxOrder: String, Sendable, Hashable, CaseIterable {
    /// Vertical center, horizontal center, height, width; key points as y, x.
    case yxhw
    /// Horizontal center, vertical center, width, height; key points as x, y.
    case xywh
    /// Distances from the anchor's center to the left, top, right and bottom; key points as x, y.
    case xyxy
  }

  /// The anchors in the order of the model's outputs.
  public var anchors: [Anchor]
  /// Scores for each anchor.
  public var classCount = 1
  /// Numbers for each anchor in the box encodings.
  public var coordinateCount: Int
  /// The position of the box in an anchor's numbers.
  public var boxOffset = 0
  /// The position of the first key point in an anchor's numbers.
  public var keyPointOffset = 4
  /// Key points of two numbers each.
  public var keyPointCount: Int
  /// What divides horizontal locations.
  public var xScale: Float
  /// What divides vertical locations.
  public var yScale: Float
  /// What divides widths.
  public var widthScale: Float
  /// What divides heights.
  public var heightScale: Float
  /// Whether widths and heights are logarithms.
  public var hasLogarithmicSizes = false
  /// What the four numbers of a box are.
  public var boxOrder = BoxOrder.xywh
  /// Whether scores go through `1 / (1 + exp(-score))`.
  public var hasSigmoidScores = true
  /// Scores are brought between this and its negative before the sigmoid; nil for no limit.
  public var scoreLimit: Float? = 100
  /// Detections with a lower score are dropped; nil for none.
  public var scoreThreshold: Float?
  /// Whether the result is mirrored from top to bottom.
  public var isFlippedVertically = false
  /// The most detections, the first ones of the anchors; nil for all.
  public var limit: Int?
  /// Classes that are not looked at.
  public var deniedClasses: Set<Int> = []
  /// If not empty, only these classes are looked at.
  public var allowedClasses: Set<Int> = []

  /// Boxes in pixels of the input with the key points of MediaPipe's detectors.
  ///
  /// - Parameters:
  ///   - anchors: the anchors in the order of the model's outputs.
  ///   - keyPointCount: key points for each anchor.
  ///   - inputWidth: columns of the model's input.
  ///   - inputHeight: rows of the model's input.
  public init(anchors: [Anchor], keyPointCount: Int, inputWidth: Int, inputHeight: Int) {
    self.anchors = anchors
    self.keyPointCount = keyPointCount
    coordinateCount = 4 + 2 * min(max(keyPointCount, 0), 1 << 16)
    (xScale, yScale) = (Float(inputWidth), Float(inputHeight))
    (widthScale, heightScale) = (Float(inputWidth), Float(inputHeight))
  }

  /// The decoder of a detector whose anchors form a grid.
  ///
  /// - Parameters:
  ///   - grid: the grid.
  ///   - keyPointCount: key points for each anchor: 6 of a face, 7 of a palm, 4 of a pose.
  /// - Throws: `LandmarkError.invalidOption` where the grid is impossible.
  public init(_ grid: AnchorGrid, keyPointCount: Int) throws(LandmarkError) {
    self.init(
      anchors: try grid.anchors(), keyPointCount: keyPointCount, inputWidth: grid.inputWidth,
      inputHeight: grid.inputHeight)
  }

  /// The detections of a model's outputs.
  ///
  /// Of several classes, each anchor takes the best one. Boxes whose width or height is negative or
  /// NaN are dropped.
  ///
  /// - Parameters:
  ///   - boxes: `[anchors, coordinates]`.
  ///   - scores: `[anchors, classes]`.
  /// - Returns: the detections in the order of the anchors.
  /// - Throws: `LandmarkError` where the counts or options disagree.
  public func detections(
    boxes: [Float], scores: [Float]
  ) throws(LandmarkError) -> [KeyPointDetection] {
    try check(boxes: boxes.count, scores: scores.count)
    var detections: [KeyPointDetection] = []
    for (index, anchor) in anchors.enumerated() {
      if let limit, detections.count >= limit { break }
      let row = scores[index * classCount..<(index + 1) * classCount]
      guard let best = best(of: row) else { continue }
      if let scoreThreshold, !(best.score >= scoreThreshold) { continue }
      let values = boxes[index * coordinateCount..<(index + 1) * coordinateCount]
      let detection = detection(Array(values), anchor, best)
      guard detection.width >= 0, detection.height >= 0 else { continue }
      detections.append(detection)
    }
    return detections
  }

  private func check(boxes: Int, scores: Int) throws(LandmarkError) {
    let scales = [xScale, yScale, widthScale, heightScale]
    guard classCount >= 1, classCount <= 1 << 16, boxOffset >= 0, keyPointOffset >= 0,
      keyPointCount >= 0, keyPointCount <= 1 << 16, boxOffset <= coordinateCount - 4,
      keyPointCount == 0 || keyPointOffset <= coordinateCount - 2 * keyPointCount,
      scales.allSatisfy({ $0.isFinite && $0 != 0 }), anchors.count <= 1 << 20
    else {
      throw .invalidOption("boxes or key points lie outside of an anchor's numbers")
    }
    guard boxes == anchors.count * coordinateCount else {
      throw .valueCount(boxes, wanted: anchors.count * coordinateCount, of: "box encodings")
    }
    guard scores == anchors.count * classCount else {
      throw .valueCount(scores, wanted: anchors.count * classCount, of: "scores")
    }
  }

  private func best(of scores: ArraySlice<Float>) -> (score: Float, classIndex: Int)? {
    var best: (score: Float, classIndex: Int)?
    for (index, value) in scores.enumerated() {
      guard allowedClasses.isEmpty || allowedClasses.contains(index),
        !deniedClasses.contains(index)
      else { continue }
      let score = score(value)
      if score > best?.score ?? -.infinity { best = (score, index) }
    }
    return best
  }

  private func score(_ value: Float) -> Float {
    guard hasSigmoidScores else { return value }
    guard let scoreLimit else { return value.sigmoid }
    return min(max(value, -scoreLimit), scoreLimit).sigmoid
  }

  private func detection(
    _ values: [Float], _ anchor: Anchor, _ best: (score: Float, classIndex: Int)
  ) -> KeyPointDetection {
    let numbers = values[boxOffset..<boxOffset + 4].map(\.self)
    var (x, y, width, height) =
      switch boxOrder {
      case .yxhw: (numbers[1], numbers[0], numbers[3], numbers[2])
      case .xywh: (numbers[0], numbers[1], numbers[2], numbers[3])
      case .xyxy:
        (
          (-numbers[0] + numbers[2]) / 2, (-numbers[1] + numbers[3]) / 2, numbers[2] + numbers[0],
          numbers[3] + numbers[1]
        )
      }
    x = x / xScale * anchor.width + anchor.centerX
    y = y / yScale * anchor.height + anchor.centerY
    (width, height) = (width / widthScale, height / heightScale)
    if hasLogarithmicSizes { (width, height) = (exp(width), exp(height)) }
    (width, height) = (width * anchor.width, height * anchor.height)
    let (left, top) = (x - width / 2, y - height / 2)
    let (right, bottom) = (x + width / 2, y + height / 2)
    let points = (0..<keyPointCount).map { index in
      let start = keyPointOffset + 2 * index
      let (x, y) = boxOrder == .yxhw ? (start + 1, start) : (start, start + 1)
      let point = Landmark(
        x: values[x] / xScale * anchor.width + anchor.centerX,
        y: values[y] / yScale * anchor.height + anchor.centerY)
      return isFlippedVertically ? Landmark(x: point.x, y: 1 - point.y) : point
    }
    return KeyPointDetection(
      left: left, top: isFlippedVertically ? 1 - bottom : top, width: right - left,
      height: bottom - top, score: best.score, classIndex: best.classIndex, keyPoints: points)
  }
}

extension Float {
  /// `1 / (1 + exp(-self))`.
  package var sigmoid: Float { 1 / (1 + exp(-self)) }
}
