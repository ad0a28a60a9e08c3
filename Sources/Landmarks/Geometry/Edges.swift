// SPDX-License-Identifier: Apache-2.0

/// The edges of an upright rectangle, in any unit.
package struct Edges: Sendable, Hashable {
  package var left: Float
  package var top: Float
  package var right: Float
  package var bottom: Float

  /// A rectangle from its edges.
  package init(left: Float, top: Float, right: Float, bottom: Float) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// The edges of a rectangle without its rotation.
  package init(_ rect: NormalizedRect) {
    self.init(
      left: rect.centerX - rect.width / 2, top: rect.centerY - rect.height / 2,
      right: rect.centerX + rect.width / 2, bottom: rect.centerY + rect.height / 2)
  }

  /// The smallest rectangle around points; nil without any.
  package init?(around points: some Sequence<(x: Float, y: Float)>) {
    var edges: Edges?
    for (x, y) in points {
      var grown = edges ?? Edges(left: x, top: y, right: x, bottom: y)
      grown.left = min(grown.left, x)
      grown.top = min(grown.top, y)
      grown.right = max(grown.right, x)
      grown.bottom = max(grown.bottom, y)
      edges = grown
    }
    guard let edges else { return nil }
    self = edges
  }

  /// From the left edge to the right one.
  package var width: Float { right - left }
  /// From the top edge to the bottom one.
  package var height: Float { bottom - top }
  /// The width times the height.
  package var area: Float { width * height }
  /// The rectangle as middle and size, without rotation.
  package var rect: NormalizedRect {
    NormalizedRect(
      centerX: left + width / 2, centerY: top + height / 2, width: width, height: height)
  }

  /// The area in common with another rectangle.
  package func common(with other: Edges) -> Float {
    let width = min(right, other.right) - max(left, other.left)
    let height = min(bottom, other.bottom) - max(top, other.top)
    return width > 0 && height > 0 ? width * height : 0
  }

  /// Intersection over union: 0 apart, 1 for the same.
  package func overlap(with other: Edges) -> Float {
    let common = common(with: other)
    let union = area + other.area - common
    return common > 0 && union > 0 ? common / union : 0
  }
}
