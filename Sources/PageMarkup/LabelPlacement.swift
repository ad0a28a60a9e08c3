// SPDX-License-Identifier: Apache-2.0

/// Where labels of boxes stand in a drawing.
package enum LabelPlacement {
  /// The left edge of a label that would begin at `x`: moved so far that all of it is inside a
  /// drawing of width `total`, or its beginning where it is wider than that.
  package static func left(_ x: Double, width: Double, within total: Double) -> Double {
    max(0, min(x, total - width))
  }
}
