// SPDX-License-Identifier: Apache-2.0

public import Landmarks

/// How two outputs, encodings `[1, n, 4 or more]` and scores `[1, n, classes]`, become boxes.
///
/// With an anchor's center, width and height as fractions of the input:
///
///     x = encoding.x / xScale × anchor.width + anchor.centerX
///     width = exp(encoding.width / widthScale) × anchor.width
///
/// and the same vertically; without the exponential, `width = encoding.width / widthScale ×
/// anchor.width`. Numbers beyond the first four, such as key points, are not read. Each box takes
/// the class of the highest score, then boxes that overlap better ones are dropped.
public struct RawHeads: Sendable, Hashable {
  /// The order of the four numbers of an encoding.
  public enum BoxOrder: String, Sendable, Hashable, CaseIterable {
    /// Vertical center, horizontal center, height, width.
    case yxhw
    /// Horizontal center, vertical center, width, height.
    case xywh
  }

  /// What makes a score from an output's value.
  public enum ScoreFunction: String, Sendable, Hashable, CaseIterable {
    /// The value itself.
    case identity
    /// `1 / (1 + exp(-value))`.
    case sigmoid
    /// `exp(value) / Σ exp(values of all classes)`.
    case softmax
  }

  /// The anchors in the order of the outputs' rows.
  public var anchors: [Anchor]
  /// The order of an encoding's numbers.
  public var boxOrder: BoxOrder = .yxhw
  /// What divides the horizontal location.
  public var xScale: Float = 10
  /// What divides the vertical location.
  public var yScale: Float = 10
  /// What divides the width.
  public var widthScale: Float = 5
  /// What divides the height.
  public var heightScale: Float = 5
  /// Whether widths and heights are logarithms.
  public var hasLogarithmicSizes = true
  /// What makes scores of values.
  public var scoreFunction: ScoreFunction = .identity
  /// Whether the first class is the background, which is no object: the next one is class 0.
  public var hasBackgroundClass = false
  /// The position of the encodings; nil for the output that is larger, or has four numbers.
  public var boxOutput: Int?
  /// The position of the scores; nil for the other output.
  public var scoreOutput: Int?

  /// SSD's encodings, scaled by 10, 10, 5 and 5, for these anchors.
  public init(anchors: [Anchor]) { self.anchors = anchors }

  /// MediaPipe's encodings: pixels of the input for x, y, width and height, one class with a
  /// sigmoid.
  ///
  /// - Parameters:
  ///   - anchors: the anchors, most often of size 1.
  ///   - inputWidth: columns of the model's input.
  ///   - inputHeight: rows of the model's input.
  /// - Returns: how such encodings are read.
  public static func mediaPipe(
    anchors: [Anchor], inputWidth: Int, inputHeight: Int
  ) -> RawHeads {
    var heads = RawHeads(anchors: anchors)
    heads.boxOrder = .xywh
    heads.xScale = Float(inputWidth)
    heads.yScale = Float(inputHeight)
    heads.widthScale = Float(inputWidth)
    heads.heightScale = Float(inputHeight)
    heads.hasLogarithmicSizes = false
    heads.scoreFunction = .sigmoid
    return heads
  }

  func check() throws(VisionError) {
    guard !anchors.isEmpty else { throw .invalidOption("raw heads need anchors") }
    guard anchors.allSatisfy(\.isFinite) else {
      throw .invalidOption("an anchor is not finite")
    }
    for scale in [xScale, yScale, widthScale, heightScale] {
      guard scale.isFinite, scale > 0 else {
        throw .invalidOption("scales of box encodings must be finite and above 0, not \(scale)")
      }
    }
  }
}
