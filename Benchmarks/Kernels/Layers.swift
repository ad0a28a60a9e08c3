// SPDX-License-Identifier: Apache-2.0

/// A convolution layer of a known network, as a product.
struct ProductLayer {
  let name: String
  /// Output pixels along each side.
  let side: Int
  /// Side of the window.
  let window: Int
  let step: Int
  /// Input channels.
  let channels: Int
  let columns: Int

  var rows: Int { side * side }
  var depth: Int { window * window * channels }
  /// Each input pixel, weight and output once.
  var work: LayerWork {
    LayerWork(
      products: Double(rows * depth * columns),
      values: inputSide * inputSide * channels + depth * columns + rows * columns)
  }
  /// Pixels along each side of the input, padding included.
  var inputSide: Int { (side - 1) * step + window }

  /// Whether whole rows of the window are taps, as pays where pixels are small.
  private var mergesRows: Bool { window > 1 && channels < 8 }
  var tapCount: Int { mergesRows ? window : window * window }
  /// For each tap, where every output pixel's row starts in the input.
  var starts: [Int] {
    (0..<tapCount).flatMap { tap in
      (0..<rows).map { row in
        let (tapRow, tapColumn) = mergesRows ? (tap, 0) : (tap / window, tap % window)
        let line = row / side * step + tapRow
        return (line * inputSide + row % side * step + tapColumn) * channels
      }
    }
  }

  static let all = [
    ProductLayer("v1 112² 3×3/2 3→32", 112, 3, step: 2, 3, 32),
    ProductLayer("v2 112² 32→16", 112, 1, 32, 16),
    ProductLayer("v1 112² 32→64", 112, 1, 32, 64),
    ProductLayer("v2 56² 24→144", 56, 1, 24, 144),
    ProductLayer("v2 56² 144→24", 56, 1, 144, 24),
    ProductLayer("v1 56² 128→128", 56, 1, 128, 128),
    ProductLayer("v1 28² 256→256", 28, 1, 256, 256),
    ProductLayer("v2 14² 64→384", 14, 1, 64, 384),
    ProductLayer("v1 14² 512→512", 14, 1, 512, 512),
    ProductLayer("v2 7² 160→960", 7, 1, 160, 960),
    ProductLayer("v1 7² 1024→1024", 7, 1, 1024, 1024),
    ProductLayer("resnet 56² 64→256", 56, 1, 64, 256),
    ProductLayer("resnet 56² 3×3 64", 56, 3, 64, 64),
    ProductLayer("resnet 28² 3×3 128", 28, 3, 128, 128),
    ProductLayer("resnet 14² 3×3 256", 14, 3, 256, 256),
    ProductLayer("resnet 7² 3×3 512", 7, 3, 512, 512),
    ProductLayer("resnet 14² 1024→256", 14, 1, 1024, 256),
    ProductLayer("resnet 7² 2048→512", 7, 1, 2048, 512),
    ProductLayer("resnet 56² 256→64", 56, 1, 256, 64),
    ProductLayer("resnet 28² 256→512 /2", 28, 1, step: 2, 256, 512),
    ProductLayer("v3 28² 24→88", 28, 1, 24, 88),
    ProductLayer("v3 14² 40→240", 14, 1, 40, 240),
    ProductLayer("v3 7² 96→576", 7, 1, 96, 576),
    ProductLayer("b0 112² 16→96", 112, 1, 16, 96),
    ProductLayer("b0 14² 112→672", 14, 1, 112, 672),
    ProductLayer("b0 7² 1152→192", 7, 1, 1152, 192),
    ProductLayer("fully 1024→1000 v1", 1, 1, 1024, 1000),
    ProductLayer("fully 1280→1000 v2", 1, 1, 1280, 1000),
    ProductLayer("fully 2048→1000 resnet", 1, 1, 2048, 1000),
    ProductLayer("squeeze 576→144 v3", 1, 1, 576, 144),
    ProductLayer("squeeze 1152→48 b0", 1, 1, 1152, 48),
    ProductLayer("excite 48→1152 b0", 1, 1, 48, 1152),
  ]

  init(
    _ name: String, _ side: Int, _ window: Int, step: Int = 1, _ channels: Int, _ columns: Int
  ) {
    (self.name, self.side, self.window, self.step) = (name, side, window, step)
    (self.channels, self.columns) = (channels, columns)
  }
}

/// A depthwise layer of a known network.
struct DepthwiseLayer {
  let name: String
  /// Output pixels along each side.
  let side: Int
  let window: Int
  let step: Int
  let channels: Int

  /// Pixels along each side of the input, padding included.
  var inputSide: Int { (side - 1) * step + window }
  var work: LayerWork {
    LayerWork(
      products: Double(side * side * window * window * channels),
      values: (inputSide * inputSide + window * window + side * side) * channels)
  }

  static let all = [
    DepthwiseLayer("v1 112² 3×3 32", 112, 3, 1, 32),
    DepthwiseLayer("v1 56² 3×3/2 64", 56, 3, 2, 64),
    DepthwiseLayer("v1 56² 3×3 128", 56, 3, 1, 128),
    DepthwiseLayer("v1 28² 3×3/2 128", 28, 3, 2, 128),
    DepthwiseLayer("v1 28² 3×3 256", 28, 3, 1, 256),
    DepthwiseLayer("v1 14² 3×3/2 256", 14, 3, 2, 256),
    DepthwiseLayer("v1 14² 3×3 512", 14, 3, 1, 512),
    DepthwiseLayer("v1 7² 3×3/2 512", 7, 3, 2, 512),
    DepthwiseLayer("v1 7² 3×3 1024", 7, 3, 1, 1024),
    DepthwiseLayer("v2 56² 3×3/2 96", 56, 3, 2, 96),
    DepthwiseLayer("v2 56² 3×3 144", 56, 3, 1, 144),
    DepthwiseLayer("v2 7² 3×3 960", 7, 3, 1, 960),
    DepthwiseLayer("v3 28² 3×3 88", 28, 3, 1, 88),
    DepthwiseLayer("v3 14² 5×5/2 96", 14, 5, 2, 96),
    DepthwiseLayer("v3 14² 5×5 240", 14, 5, 1, 240),
    DepthwiseLayer("v3 7² 5×5 576", 7, 5, 1, 576),
    DepthwiseLayer("b0 28² 5×5/2 144", 28, 5, 2, 144),
    DepthwiseLayer("b0 14² 5×5 672", 14, 5, 1, 672),
    DepthwiseLayer("b0 7² 5×5 1152", 7, 5, 1, 1152),
  ]

  init(_ name: String, _ side: Int, _ window: Int, _ step: Int, _ channels: Int) {
    (self.name, self.side, self.window) = (name, side, window)
    (self.step, self.channels) = (step, channels)
  }
}
