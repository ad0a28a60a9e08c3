// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The anchors of RetinaNet and EfficientDet: boxes of several proportions and sizes within an
/// octave at each location of grids whose strides are powers of 2.
///
/// At level `l`, stride `s = 2ˡ`, the box of ratio `r` and octave fraction `k / n` has the height
/// `anchorScale s 2^(k/n) / √r` and the width `anchorScale s 2^(k/n) √r`, in pixels. The order is by
/// level, row, column, ratio and octave fraction: MediaPipe's `ssd_anchors_calculator` with
/// `multiscale_anchor_generation`.
public struct MultiscaleAnchorGrid: Sendable, Hashable {
  /// Columns of the model's input.
  public var inputWidth: Int
  /// Rows of the model's input.
  public var inputHeight: Int
  /// The levels of the feature pyramid: the strides are 2 to these powers.
  public var levels: ClosedRange<Int>
  /// The size of a box by the stride of its level.
  public var anchorScale: Float = 4
  /// Sizes for each level.
  public var scalesPerOctave = 3
  /// Widths by heights.
  public var aspectRatios: [Float] = [1, 2, 0.5]
  /// Whether anchors are fractions of the input rather than pixels.
  public var isNormalized = true

  /// The anchors of a feature pyramid.
  public init(inputWidth: Int, inputHeight: Int, levels: ClosedRange<Int> = 3...7) {
    self.inputWidth = inputWidth
    self.inputHeight = inputHeight
    self.levels = levels
  }

  /// All anchors.
  ///
  /// - Returns: the anchors in the order of the model's outputs.
  /// - Throws: `LandmarkError.invalidOption` for sizes or ratios that are not positive, and for more
  ///   than 2²⁰ anchors.
  public func anchors() throws(LandmarkError) -> [Anchor] {
    guard (1...1 << 16).contains(inputWidth), (1...1 << 16).contains(inputHeight),
      levels.lowerBound >= 0, levels.upperBound <= 16, anchorScale.isFinite, anchorScale > 0,
      (1...64).contains(scalesPerOctave), (1...64).contains(aspectRatios.count),
      aspectRatios.allSatisfy({ $0.isFinite && $0 > 0 })
    else {
      throw .invalidOption("an anchor grid needs levels of 0 to 16, sizes and ratios above 0")
    }
    var anchors: [Anchor] = []
    for level in levels {
      let stride = 1 << level
      let columns = (inputWidth + stride - 1) / stride
      let rows = (inputHeight + stride - 1) / stride
      let sizes = sizes(stride: Float(stride))
      guard columns * rows * sizes.count <= 1 << 20 - anchors.count else {
        throw .invalidOption("an anchor grid of more than \(1 << 20) anchors")
      }
      for row in 0..<rows {
        for column in 0..<columns {
          let x = Float(column * stride) + offset(stride, in: inputWidth)
          let y = Float(row * stride) + offset(stride, in: inputHeight)
          anchors += sizes.map { size in
            anchor(Anchor(centerX: x, centerY: y, width: size.width, height: size.height))
          }
        }
      }
    }
    return anchors
  }

  private func sizes(stride: Float) -> [(width: Float, height: Float)] {
    aspectRatios.flatMap { ratio in
      (0..<scalesPerOctave).map { step in
        let size = Float(exp2(Double(step) / Double(scalesPerOctave))) * stride * anchorScale
        return (width: size * sqrt(ratio), height: size / sqrt(ratio))
      }
    }
  }

  /// Half a stride where strides fill the side, or else the edge itself.
  private func offset(_ stride: Int, in side: Int) -> Float {
    side % stride == 0 || side == 1 ? Float(stride) / 2 : 0
  }

  private func anchor(_ pixels: Anchor) -> Anchor {
    guard isNormalized else { return pixels }
    let (width, height) = (Float(inputWidth), Float(inputHeight))
    return Anchor(
      centerX: pixels.centerX / width, centerY: pixels.centerY / height,
      width: pixels.width / width, height: pixels.height / height)
  }
}
