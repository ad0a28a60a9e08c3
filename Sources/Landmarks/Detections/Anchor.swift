// SPDX-License-Identifier: Apache-2.0

/// A box that encodings are relative to, as fractions of the input's width and height.
public struct Anchor: Sendable, Hashable {
  /// The middle, from the left.
  public var centerX: Float
  /// The middle, from the top.
  public var centerY: Float
  /// From the left edge to the right one.
  public var width: Float
  /// From the top edge to the bottom one.
  public var height: Float

  /// An anchor from its middle and size.
  public init(centerX: Float, centerY: Float, width: Float, height: Float) {
    self.centerX = centerX
    self.centerY = centerY
    self.width = width
    self.height = height
  }

  /// Whether all four numbers are finite.
  package var isFinite: Bool {
    centerX.isFinite && centerY.isFinite && width.isFinite && height.isFinite
  }
}
