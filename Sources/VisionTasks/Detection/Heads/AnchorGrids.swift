// SPDX-License-Identifier: Apache-2.0

/// How the grids of YOLOv2 to YOLOv7 become boxes, where the model leaves their decoding to others.
///
/// There is one output for each grid, `[1, rows, columns, anchors × (5 + classes)]` or
/// `[1, rows, columns, anchors, 5 + classes]`, or with the anchors first. At each cell, each anchor
/// has four numbers, the objectness and a value for each class. With σ the logistic function, `s`
/// the factor of centers and the cell's column and width `c` and `w` in the input:
///
///     x = (σ(value) × s − (s − 1) / 2 + c) × w
///     width = exp(value) × anchor's width
///
/// and the same vertically; YOLOv5 and v7 have `width = (2 σ(value))² × anchor's width` and `s` =
/// 2. A box's score is σ(objectness) × σ(value) of its best class.
public struct AnchorGrids: Sendable, Hashable {
  /// The size of an anchor in pixels.
  public struct Size: Sendable, Hashable {
    /// From left to right.
    public var width: Float
    /// From top to bottom.
    public var height: Float

    /// A size of these sides.
    public init(_ width: Float, _ height: Float) {
      self.width = width
      self.height = height
    }
  }

  /// One output.
  public struct Grid: Sendable, Hashable {
    /// The sizes of the anchors at each cell.
    public var anchors: [Size]
    /// The factor of centers, `scale_x_y` in Darknet's configurations.
    public var centerScale: Float

    /// A grid with these anchors.
    public init(_ anchors: [Size], centerScale: Float = 1) {
      self.anchors = anchors
      self.centerScale = centerScale
    }
  }

  /// How values become widths and heights.
  public enum SizeFunction: String, Sendable, Hashable, CaseIterable {
    /// `exp(value)`: YOLOv2 to v4.
    case exponential
    /// `(2 σ(value))²`: YOLOv5 and v7.
    case squared
  }

  /// The grids, from the finest one to the coarsest, which is not the order of every model's
  /// outputs: each output belongs to the grid of as many cells, counted from the largest.
  public var grids: [Grid]
  /// How values become widths and heights.
  public var sizes = SizeFunction.exponential
  /// Whether scores of classes are a softmax of their values, as in YOLOv2, instead of logistic
  /// functions of each.
  public var hasExclusiveClasses = false
  /// Columns and rows of the input that anchors are meant for; nil for the model's own.
  ///
  /// Anchors of Darknet are pixels of an input of 416 or 608, whatever the model's own is.
  public var anchorInput: Int?
  /// Whether the values have gone through σ already.
  public var areActivated = false

  /// Grids from the finest to the coarsest.
  public init(grids: [Grid]) { self.grids = grids }

  private static func sizes(_ numbers: [Float]) -> [Size] {
    stride(from: 0, to: numbers.count - 1, by: 2).map { Size(numbers[$0], numbers[$0 + 1]) }
  }

  private static func grids(_ anchors: [[Float]], _ scales: [Float]) -> AnchorGrids {
    AnchorGrids(grids: zip(anchors, scales).map { Grid(sizes($0), centerScale: $1) })
  }

  /// YOLOv3 for inputs of 416 or 608: `yolov3.cfg`.
  public static let yoloV3 = grids(
    [
      [10, 13, 16, 30, 33, 23], [30, 61, 62, 45, 59, 119], [116, 90, 156, 198, 373, 326],
    ], [1, 1, 1])

  /// YOLOv3-tiny: `yolov3-tiny.cfg`.
  public static let yoloV3Tiny = grids(
    [[10, 14, 23, 27, 37, 58], [81, 82, 135, 169, 344, 319]], [1, 1])

  /// YOLOv4: `yolov4.cfg`.
  public static let yoloV4 = grids(
    [
      [12, 16, 19, 36, 40, 28], [36, 75, 76, 55, 72, 146], [142, 110, 192, 243, 459, 401],
    ], [1.2, 1.1, 1.05])

  /// YOLOv4-tiny, whose finer grid has the second to fourth anchor: `yolov4-tiny.cfg`.
  public static let yoloV4Tiny = grids(
    [[23, 27, 37, 58, 81, 82], [81, 82, 135, 169, 344, 319]], [1.05, 1.05])

  /// YOLOv5 with grids of 8, 16 and 32 pixels: `yolov5s.yaml`.
  public static let yoloV5: AnchorGrids = {
    var grids = yoloV3
    for index in grids.grids.indices { grids.grids[index].centerScale = 2 }
    grids.sizes = .squared
    return grids
  }()

  /// YOLOv7 with grids of 8, 16 and 32 pixels: `yolov7.yaml`.
  public static let yoloV7: AnchorGrids = {
    var grids = yoloV4
    for index in grids.grids.indices { grids.grids[index].centerScale = 2 }
    grids.sizes = .squared
    return grids
  }()

  /// YOLO-Fastest 1.1 for inputs of 320: `yolo-fastest-1.1.cfg`.
  public static let yoloFastest = grids(
    [[12, 18, 37, 49, 52, 132], [115, 73, 119, 199, 242, 238]], [1, 1])

  func check() throws(VisionError) {
    let sizes = grids.flatMap(\.anchors)
    guard !grids.isEmpty, grids.count <= 16, grids.allSatisfy({ !$0.anchors.isEmpty }),
      sizes.count <= 256,
      sizes.allSatisfy({ $0.width.isFinite && $0.height.isFinite && $0.width > 0 && $0.height > 0 }
      ),
      grids.allSatisfy({ $0.centerScale.isFinite && $0.centerScale > 0 })
    else { throw .invalidOption("grids need anchors with finite sizes above 0") }
    guard anchorInput.map({ (1...1 << 16).contains($0) }) ?? true else {
      throw .invalidOption("anchorInput must be from 1 to \(1 << 16)")
    }
  }
}
