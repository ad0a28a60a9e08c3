// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Martlet
import Testing
import VisionTasks

/// Locations of detected objects.
@Suite struct DetectionLocationTests {
  /// A box of an image of 100 × 50 pixels as stored.
  ///
  /// Seen upright, from 20 % to 60 % of the width and from 10 % to 50 % of the height. Where the
  /// axes are swapped, upright means 50 × 100.
  static let frames: [(ImageOrientation, ImageRect)] = [
    (.up, ImageRect(x: 20, y: 5, width: 40, height: 20)),
    (.upMirrored, ImageRect(x: 40, y: 5, width: 40, height: 20)),
    (.down, ImageRect(x: 40, y: 25, width: 40, height: 20)),
    (.downMirrored, ImageRect(x: 20, y: 25, width: 40, height: 20)),
    (.leftMirrored, ImageRect(x: 10, y: 10, width: 40, height: 20)),
    (.right, ImageRect(x: 10, y: 20, width: 40, height: 20)),
    (.rightMirrored, ImageRect(x: 50, y: 20, width: 40, height: 20)),
    (.left, ImageRect(x: 50, y: 10, width: 40, height: 20)),
  ]

  @Test(arguments: frames)
  func `frames are in pixels of the image as stored`(
    orientation: ImageOrientation, expected: ImageRect
  ) throws {
    let model = DetectorModel(boxes: [[0.1, 0.2, 0.5, 0.6]], classes: [0], scores: [0.9])
    let image = try PixelBuffer(width: 100, height: 50, format: .rgb8, filledWith: .white)
    let objects = try ObjectDetector(model.model()).detect(image, orientation: orientation)
    try #require(objects.count == 1)
    #expect(objects[0].frame.isClose(to: expected, within: 1e-4), "\(objects[0].frame)")
  }

  /// Letterboxed, 100 × 50 pixels fill the middle half of the height of 4 × 4; cropped, the middle
  /// 50 columns fill all of it.
  @Test(arguments: [
    (FitMode.letterbox(fill: .black), ImageRect(x: 20, y: 0, width: 40, height: 25)),
    (FitMode.centerCrop, ImageRect(x: 35, y: 5, width: 20, height: 20)),
  ])
  func `frames are mapped back as the image was made to fit`(
    fit: FitMode, expected: ImageRect
  ) throws {
    // Upright boxes from 20 % to 60 % of the columns; letterboxed rows begin at 25 %.
    let box: [Float] = fit == .centerCrop ? [0.1, 0.2, 0.5, 0.6] : [0.2, 0.2, 0.5, 0.6]
    let model = DetectorModel(boxes: [box], classes: [0], scores: [0.9])
    var options = ObjectDetector.Options()
    options.preprocessing.fit = fit
    let image = try PixelBuffer(width: 100, height: 50, format: .rgb8, filledWith: .white)
    let objects = try ObjectDetector(model.model(), options: options).detect(image)
    try #require(objects.count == 1)
    #expect(objects[0].frame.isClose(to: expected, within: 1e-4), "\(objects[0].frame)")
  }

  static let regions = [nil, PixelRect(x: 2, y: 4, width: 16, height: 8)]

  /// A white rectangle is looked for in what the model sees, and must map back to where it is.
  @Test(arguments: ImageOrientation.allCases, regions)
  func `what the model sees maps back to where it came from`(
    orientation: ImageOrientation, region: PixelRect?
  ) throws {
    var image = try PixelBuffer(width: 20, height: 16, format: .grey8, filledWith: .black)
    let location = ImageRect(x: 7, y: 6, width: 5, height: 3)
    image.fill(location, with: .white)
    let part = region ?? PixelRect(x: 0, y: 0, width: 20, height: 16)
    for fit in [FitMode.stretch, .centerCrop, .letterbox(fill: .black)] {
      var preprocessing = Preprocessing()
      preprocessing.fit = fit
      preprocessing.filter = .nearest
      // Twice as wide and three times as high as upright; square for the other modes.
      let upright = orientation.swapsAxes ? (part.height, part.width) : (part.width, part.height)
      let size = fit == .stretch ? (2 * upright.0, 3 * upright.1) : (240, 240)
      let prepared = try PreparedImage(
        image, region: part, orientation: orientation, size: size, preprocessing)
      let seen = try #require(prepared.image.locationOfWhite)
      let source = prepared.sourceRect(seen)
      #expect(source.isClose(to: location, within: 0.1), "\(fit): \(seen) is from \(source)")
    }
  }

  @Test func `what reaches over the edges is cut, and what is no box is left out`() throws {
    let model = DetectorModel(
      boxes: [
        [-1, 0.5, .infinity, 2], [0.5, 0.5, 0.5, 0.6], [0.5, 0.6, 0.6, 0.5],
        [.nan, 0, 1, 1], [1.5, 1.5, 2, 2], [0, 0, 1, 1],
      ], classes: [0, 0, 0, 0, 0, 0], scores: [0.9, 0.9, 0.9, 0.9, 0.9, 0.8])
    let image = try PixelBuffer(width: 20, height: 10, format: .rgba8, filledWith: .white)
    let frames = try ObjectDetector(model.model()).detect(image).map(\.frame)
    #expect(
      frames == [
        ImageRect(x: 10, y: 0, width: 10, height: 10), ImageRect(x: 0, y: 0, width: 20, height: 10),
      ])
  }
}

extension ImageRect {
  /// Whether no edge is farther than `distance` from that of another rectangle.
  func isClose(to other: ImageRect, within distance: Double) -> Bool {
    [
      x - other.x, y - other.y, x + width - other.x - other.width,
      y + height - other.y - other.height,
    ].allSatisfy { abs($0) <= distance }
  }
}

extension PixelBuffer {
  /// The smallest rectangle around all white pixels.
  fileprivate var locationOfWhite: ImageRect? {
    let locations = (0..<width * height).filter { bytes[$0 * format.channelCount] == 255 }
    let (columns, rows) = (locations.map { $0 % width }, locations.map { $0 / width })
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
      let bottom = rows.max()
    else { return nil }
    return ImageRect(
      x: Double(left), y: Double(top), width: Double(right + 1 - left),
      height: Double(bottom + 1 - top))
  }
}
