// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Testing

/// Lines and circles.
@Suite struct DrawingLineTests {
  /// Whether each pixel is drawn must be what the distance of its center from the line says.
  @Test(arguments: [
    (2.0, 3.0, 17.0, 9.0, 3.0), (5, 5, 5, 5, 6), (-4, 10, 30, 10, 2), (10, -9, 12, 40, 5),
    (18, 2, 3, 15, 1.5),
  ])
  func `pixels near a line are drawn, and no others`(
    x0: Double, y0: Double, x1: Double, y1: Double, thickness: Double
  ) throws {
    var image = try PixelBuffer(width: 20, height: 16, format: .rgb8, filledWith: .black)
    image.drawLine(
      from: DrawnPoint(x: x0, y: y0), to: DrawnPoint(x: x1, y: y1), thickness: thickness,
      color: .white)
    let length = (x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)
    for row in 0..<16 {
      for column in 0..<20 {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        let along = length > 0 ? ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length : 0
        let t = min(max(along, 0), 1)
        let (dx, dy) = (x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0))
        let distance = (dx * dx + dy * dy).squareRoot()
        // On the edge itself, rounding decides.
        guard abs(distance - thickness / 2) > 1e-9 else { continue }
        let isDrawn = image.color(column: column, row: row).red == 255
        #expect(isDrawn == (distance < thickness / 2), "\(column), \(row)")
      }
    }
  }

  @Test func `what is no number is not drawn`() throws {
    let blank = try PixelBuffer(width: 4, height: 4, format: .rgb8, filledWith: .black)
    for bad in [Double.nan, .infinity, -.infinity, 1e300] {
      var image = blank
      image.fillCircle(at: DrawnPoint(x: bad, y: 1), radius: 3, with: .white)
      image.drawLine(
        from: DrawnPoint(x: 1, y: 1), to: DrawnPoint(x: 2, y: bad), thickness: 2, color: .white)
      image.fillCircle(at: DrawnPoint(x: 1, y: 1), radius: bad, with: .white)
      #expect(image.bytes == blank.bytes)
    }
  }
}
