// SPDX-License-Identifier: Apache-2.0

/// A box with key points that a model found, as fractions of an image or a region.
public struct KeyPointDetection: Sendable, Hashable {
  /// The left edge.
  public var left: Float
  /// The top edge.
  public var top: Float
  /// From the left edge to the right one.
  public var width: Float
  /// From the top edge to the bottom one.
  public var height: Float
  /// How sure the model is.
  public var score: Float
  /// The number of the class, as the model counts.
  public var classIndex: Int
  /// The points, in the order of the model.
  public var keyPoints: [Landmark]

  /// A detection from its box, score, class and points.
  public init(
    left: Float, top: Float, width: Float, height: Float, score: Float, classIndex: Int = 0,
    keyPoints: [Landmark] = []
  ) {
    self.left = left
    self.top = top
    self.width = width
    self.height = height
    self.score = score
    self.classIndex = classIndex
    self.keyPoints = keyPoints
  }

  /// The box.
  package var edges: Edges {
    get { Edges(left: left, top: top, right: left + width, bottom: top + height) }
    set {
      left = newValue.left
      top = newValue.top
      width = newValue.width
      height = newValue.height
    }
  }

  /// Whether all numbers are finite.
  package var isFinite: Bool {
    [left, top, width, height, score].allSatisfy(\.isFinite)
      && keyPoints.allSatisfy(\.isFinite)
  }
}

extension KeyPointDetection: Scored {}
