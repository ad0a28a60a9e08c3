// SPDX-License-Identifier: Apache-2.0

/// A point of a drawing, in pixels from the image's first corner.
public struct DrawnPoint: Sendable, Hashable {
  /// To the right.
  public var x: Double
  /// Down.
  public var y: Double

  /// A point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Whether the point can be drawn: its coordinates are numbers of a size that images have.
  var isDrawable: Bool { abs(x) < 1e6 && abs(y) < 1e6 }
}

extension PixelBuffer {
  /// Fills the pixels whose centers lie within `radius` of a point.
  ///
  /// What lies outside of the image is left out, and so is a point that is no number.
  public mutating func fillCircle(at center: DrawnPoint, radius: Double, with color: PixelColor) {
    drawLine(from: center, to: center, thickness: 2 * radius, color: color)
  }

  /// Fills the pixels whose centers lie within half of `thickness` of a line between two points.
  ///
  /// What lies outside of the image is left out, and so is a line to a point that is no number.
  public mutating func drawLine(
    from start: DrawnPoint, to end: DrawnPoint, thickness: Double, color: PixelColor
  ) {
    guard start.isDrawable, end.isDrawable, thickness > 0, thickness < 1e6 else { return }
    let radius = thickness / 2
    let top = max(0, Int((min(start.y, end.y) - radius).rounded(.down)))
    let bottom = min(height - 1, Int((max(start.y, end.y) + radius).rounded(.up)))
    guard top <= bottom else { return }
    for row in top...bottom {
      // The pixels of a row near a line segment are one run.
      let y = Double(row) + 0.5
      guard let run = Self.run(near: (start, end), radius: radius, y: y) else { continue }
      let left = max(0, Int((run.lowerBound - 0.5).rounded(.up)))
      let right = min(width - 1, Int((run.upperBound - 0.5).rounded(.down)))
      guard left <= right else { continue }
      fill(PixelRect(x: left, y: row, width: right - left + 1, height: 1), with: color)
    }
  }

  /// The x of the points at height `y` that lie within `radius` of a line segment: that of a disk
  /// at each end, and of the band between them.
  private static func run(
    near line: (DrawnPoint, DrawnPoint), radius: Double, y: Double
  ) -> ClosedRange<Double>? {
    var found: ClosedRange<Double>?
    func add(_ range: ClosedRange<Double>) {
      found =
        found.map {
          min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound)
        } ?? range
    }
    for point in [line.0, line.1] {
      let half = radius * radius - (y - point.y) * (y - point.y)
      if half >= 0 { add(point.x - half.squareRoot()...point.x + half.squareRoot()) }
    }
    let (dx, dy) = (line.1.x - line.0.x, line.1.y - line.0.y)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0 else { return found }
    // The corners of the band, half the thickness to each side of the line.
    let (across, along) = (-dy / length * radius, dx / length * radius)
    let corners = [
      (line.0.x + across, line.0.y + along), (line.1.x + across, line.1.y + along),
      (line.1.x - across, line.1.y - along), (line.0.x - across, line.0.y - along),
    ]
    for index in corners.indices {
      let (first, second) = (corners[index], corners[(index + 1) % 4])
      let (low, high) = first.1 <= second.1 ? (first, second) : (second, first)
      guard low.1 <= y, y <= high.1 else { continue }
      let share = high.1 > low.1 ? (y - low.1) / (high.1 - low.1) : 0
      let x = low.0 + share * (high.0 - low.0)
      add(x...x)
    }
    return found
  }
}
