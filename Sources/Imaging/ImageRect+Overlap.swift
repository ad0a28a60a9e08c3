// SPDX-License-Identifier: Apache-2.0

extension ImageRect {
  /// The middle column.
  package var centerX: Double { x + width / 2 }
  /// The middle row.
  package var centerY: Double { y + height / 2 }

  /// The side of a square of the same area, at least a pixel.
  package var scale: Double { max((width * height).squareRoot(), 1) }

  /// Intersection over union with another rectangle: 0 apart, 1 for the same.
  package func overlap(with other: ImageRect) -> Double {
    let columns = min(x + width, other.x + other.width) - max(x, other.x)
    let rows = min(y + height, other.y + other.height) - max(y, other.y)
    guard columns > 0, rows > 0 else { return 0 }
    let common = columns * rows
    return common / (width * height + other.width * other.height - common)
  }

  /// The part of this rectangle's area that another covers.
  package func part(coveredBy other: ImageRect) -> Double {
    let columns = min(x + width, other.x + other.width) - max(x, other.x)
    let rows = min(y + height, other.y + other.height) - max(y, other.y)
    guard columns > 0, rows > 0 else { return 0 }
    return columns * rows / (width * height)
  }

  /// How badly two rectangles agree: 0 for the same, towards 1 the farther they are apart.
  ///
  ///     (1 - IoU + d² / D²) / 2
  ///
  /// Unlike overlap alone, it tells near from far where rectangles do not touch: `d` is the
  /// distance of the centers, `D` the diagonal of the rectangle around both.
  package func disagreement(with other: ImageRect) -> Double {
    let columns = max(x + width, other.x + other.width) - min(x, other.x)
    let rows = max(y + height, other.y + other.height) - min(y, other.y)
    let (right, down) = (centerX - other.centerX, centerY - other.centerY)
    let apart = (right * right + down * down) / (columns * columns + rows * rows)
    return (1 - overlap(with: other) + apart) / 2
  }

  /// The distance of two centers.
  package func centerDistance(to other: ImageRect) -> Double {
    let (right, down) = (centerX - other.centerX, centerY - other.centerY)
    return (right * right + down * down).squareRoot()
  }

  /// The larger of the ratios of widths and of heights: 1 for the same size.
  package func sizeRatio(to other: ImageRect) -> Double {
    max(
      width / other.width, other.width / width, height / other.height, other.height / height)
  }
}
