// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The anchors of SSD models: a few boxes of several proportions at each location of several grids.
///
/// Layer `k` of `n` has boxes of the scale `s_k = minScale + (maxScale − minScale) k / (n − 1)`.
/// For each ratio `r` of width to height there is one of `s_k √r × s_k / √r`, and one of the mean
/// scale `√(s_k s_{k+1})` with the interpolated ratio, `s_n` being 1. Neighboring layers of one
/// stride share a grid. The order is by grid, row, column, layer and ratio, as in TensorFlow's
/// object detection and MediaPipe.
public struct AnchorGrid: Sendable, Hashable {
  /// Columns of the model's input.
  public var inputWidth: Int
  /// Rows of the model's input.
  public var inputHeight: Int
  /// The distance of locations in each layer's grid, in pixels of the input.
  public var strides: [Int]
  /// The scale of the first layer.
  public var minScale: Float = 0.2
  /// The scale of the last layer.
  public var maxScale: Float = 0.95
  /// Widths by heights.
  public var aspectRatios: [Float] = [1, 2, 1 / 2, 3, 1 / 3]
  /// The ratio of the box between this layer's scale and the next one's; nil for none.
  public var interpolatedAspectRatio: Float? = 1
  /// Whether the first layer has only boxes of the ratios 1 (of scale 0.1), 2 and ½.
  public var hasReducedFirstLayer = true
  /// The location of anchors in a grid's cell, from its left edge.
  public var offsetX: Float = 0.5
  /// The location of anchors in a grid's cell, from its top edge.
  public var offsetY: Float = 0.5
  /// Whether all anchors have size 1 instead of one by scale and ratio.
  public var hasUnitSizes = false

  /// The anchors of SSD MobileNet, with six layers unless told otherwise.
  public init(
    inputWidth: Int, inputHeight: Int, strides: [Int] = [16, 32, 64, 128, 256, 512]
  ) {
    self.inputWidth = inputWidth
    self.inputHeight = inputHeight
    self.strides = strides
  }

  /// MediaPipe's face detector for short range, 128 × 128: 896 anchors.
  public static let shortRangeFaces = mediaPipe(size: 128, strides: [8, 16, 16, 16])

  /// MediaPipe's face detector for full range, 192 × 192: 2304 anchors.
  public static let fullRangeFaces: AnchorGrid = {
    var grid = mediaPipe(size: 192, strides: [4])
    grid.interpolatedAspectRatio = nil
    return grid
  }()

  /// MediaPipe's first face detector for the back camera, 256 × 256: 896 anchors.
  public static let backCameraFaces = mediaPipe(size: 256, strides: [16, 32, 32, 32])

  /// MediaPipe's palm detector, 192 × 192: 2016 anchors.
  public static let palms = mediaPipe(size: 192, strides: [8, 16, 16, 16])

  /// MediaPipe's first palm detector, 256 × 256: 2944 anchors.
  public static let largePalms = mediaPipe(size: 256, strides: [8, 16, 32, 32, 32])

  /// MediaPipe's pose detector, 224 × 224: 2254 anchors.
  public static let poses = mediaPipe(size: 224, strides: [8, 16, 32, 32, 32])

  /// MediaPipe's first pose detector, 128 × 128: 896 anchors, those of short-range faces.
  public static let smallPoses = shortRangeFaces

  private static func mediaPipe(size: Int, strides: [Int]) -> AnchorGrid {
    var grid = AnchorGrid(inputWidth: size, inputHeight: size, strides: strides)
    grid.aspectRatios = [1]
    grid.hasReducedFirstLayer = false
    grid.hasUnitSizes = true
    return grid
  }

  /// All anchors.
  ///
  /// - Returns: the anchors in the order of the model's outputs.
  /// - Throws: `LandmarkError.invalidOption` for sizes, strides or ratios that are not positive, and
  ///   for more than 2²⁰ anchors.
  public func anchors() throws(LandmarkError) -> [Anchor] {
    let sides = [inputWidth, inputHeight] + strides
    guard !strides.isEmpty, strides.count <= 64, aspectRatios.count <= 64,
      sides.allSatisfy({ (1...1 << 16).contains($0) }),
      (aspectRatios + [interpolatedAspectRatio ?? 1]).allSatisfy({ $0.isFinite && $0 > 0 }),
      [minScale, maxScale].allSatisfy({ $0.isFinite && $0 > 0 }),
      offsetX.isFinite, offsetY.isFinite
    else {
      throw .invalidOption("an anchor grid needs strides, sizes and ratios above 0")
    }
    var anchors: [Anchor] = []
    var layer = 0
    while layer < strides.count {
      let stride = strides[layer]
      var sizes: [(width: Float, height: Float)] = []
      while layer < strides.count, strides[layer] == stride {
        sizes += self.sizes(layer: layer)
        layer += 1
      }
      let columns = (inputWidth + stride - 1) / stride
      let rows = (inputHeight + stride - 1) / stride
      guard columns * rows * sizes.count <= 1 << 20 - anchors.count else {
        throw .invalidOption("an anchor grid of more than \(1 << 20) anchors")
      }
      for row in 0..<rows {
        for column in 0..<columns {
          let x = (Float(column) + offsetX) / Float(columns)
          let y = (Float(row) + offsetY) / Float(rows)
          for size in sizes {
            anchors.append(
              Anchor(
                centerX: x, centerY: y, width: hasUnitSizes ? 1 : size.width,
                height: hasUnitSizes ? 1 : size.height))
          }
        }
      }
    }
    return anchors
  }

  private func scale(layer: Int) -> Float {
    guard strides.count > 1 else { return (minScale + maxScale) * 0.5 }
    return minScale + (maxScale - minScale) * Float(layer) / Float(strides.count - 1)
  }

  private func sizes(layer: Int) -> [(width: Float, height: Float)] {
    let scale = scale(layer: layer)
    var boxes = aspectRatios.map { (scale: scale, ratio: $0) }
    if layer == 0, hasReducedFirstLayer {
      boxes = [(0.1, 1), (scale, 2), (scale, 0.5)]
    } else if let interpolatedAspectRatio {
      let next = layer == strides.count - 1 ? 1 : self.scale(layer: layer + 1)
      boxes.append((sqrt(scale * next), interpolatedAspectRatio))
    }
    return boxes.map { box in
      (width: box.scale * sqrt(box.ratio), height: box.scale / sqrt(box.ratio))
    }
  }
}
