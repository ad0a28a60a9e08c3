// SPDX-License-Identifier: Apache-2.0

public import ImageCodecs
public import Imaging
public import Landmarks
public import Martlet
public import ModelTasks

/// Says which pixels of an image belong to what a user points at.
///
/// ```swift
/// let segmenter = try InteractiveSegmenter(Model(path: "magic_touch.tflite"))
/// let thing = try segmenter.segment(image, at: [Landmark(x: 120, y: 80)])
/// ```
///
/// The model takes four channels: red, green, blue, and 255 around the points, 0 elsewhere.
/// MediaPipe: `interactive_segmenter_legacy_graph.cc`. A segmenter belongs to one task at a time, as
/// the interpreter it holds.
public final class InteractiveSegmenter {
  /// Columns and rows of an image whose points are one pixel and its four neighbors.
  private static let usualSide = 512

  private let segmenter: ImageSegmenter

  /// A segmenter that runs `model`.
  ///
  /// - Parameters:
  ///   - model: an image segmentation model with an input of four channels.
  ///   - options: how images are segmented.
  /// - Throws: `VisionError` where the model is another one or the options are wrong.
  public init(
    _ model: Model, options: ImageSegmenter.Options = ImageSegmenter.Options()
  ) throws(VisionError) {
    segmenter = try ImageSegmenter(model, options: options, isMarked: true)
  }

  /// The labels of the categories, from the options or the model; nil where there are none.
  public var labels: LabelMap? { segmenter.labels }

  /// The pixels of what a user points at.
  ///
  /// - Parameters:
  ///   - image: the image as stored.
  ///   - points: where the user points, one or the points of a scribble, in pixels of the image as
  ///     stored.
  ///   - orientation: how the image must be turned to be upright.
  /// - Returns: the masks, in the orientation of the image as stored.
  /// - Throws: `VisionError.invalidOption` without points or for one beside the image; other errors
  ///   when the image cannot be prepared or the model fails on it.
  public func segment(
    _ image: PixelBuffer, at points: [Landmark], orientation: ImageOrientation = .up
  ) throws(VisionError) -> Segmentation {
    try segmenter.segment(try Self.marked(image, points), orientation: orientation)
  }

  /// The image with disks around the points as its alpha.
  package static func marked(
    _ image: PixelBuffer, _ points: [Landmark]
  ) throws(VisionError) -> PixelBuffer {
    guard !points.isEmpty else { throw .invalidOption("a segmenter needs a point") }
    let (width, height) = (image.width, image.height)
    var bytes = image.converted(to: .rgba8).bytes
    for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 0 }
    let radius = (max(width, height) + usualSide / 2) / usualSide
    let disk = Self.disk(max(radius, 1))
    for point in points {
      guard (0...Float(width)).contains(point.x), (0...Float(height)).contains(point.y) else {
        throw .invalidOption("the point \(point.x), \(point.y) lies beside the image")
      }
      let (x, y) = (Int(point.x), Int(point.y))
      for (down, reach) in disk {
        guard (0..<height).contains(y + down) else { continue }
        for column in max(x - reach, 0)..<max(min(x + reach + 1, width), max(x - reach, 0)) {
          bytes[4 * ((y + down) * width + column) + 3] = 255
        }
      }
    }
    do throws(ImagingError) {
      return try PixelBuffer(width: width, height: height, format: .rgba8, bytes: bytes)
    } catch {
      throw .image(error)
    }
  }

  /// How far the rows of a disk reach to both sides, by their distance from the middle: those of
  /// OpenCV's filled `circle`.
  private static func disk(_ radius: Int) -> [(down: Int, reach: Int)] {
    var reaches: [Int: Int] = [:]
    var (error, across, down, plus, minus) = (0, radius, 0, 1, 2 * radius - 1)
    while across >= down {
      for (row, reach) in [(down, across), (across, down)] {
        reaches[row] = max(reaches[row] ?? 0, reach)
      }
      down += 1
      error += plus
      plus += 2
      if error > 0 {
        error -= minus
        across -= 1
        minus -= 2
      }
    }
    return reaches.sorted { $0.key < $1.key }.flatMap { row, reach in
      row == 0 ? [(0, reach)] : [(-row, reach), (row, reach)]
    }
  }
}
