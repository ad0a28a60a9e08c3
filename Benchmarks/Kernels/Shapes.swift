// SPDX-License-Identifier: Apache-2.0

/// A convolution layer of a known network, as a product.
struct ProductShape {
  let name: String
  /// Output pixels along each side.
  let side: Int
  /// Side of the window.
  let window: Int
  let depth: Int
  let columns: Int

  var rows: Int { side * side }
  var products: Double { Double(rows * window * window * depth * columns) }

  static let all = [
    ProductShape("v2 112² 32→16", 112, 1, 32, 16),
    ProductShape("v1 112² 32→64", 112, 1, 32, 64),
    ProductShape("v2 56² 24→144", 56, 1, 24, 144),
    ProductShape("v2 56² 144→24", 56, 1, 144, 24),
    ProductShape("v1 56² 128→128", 56, 1, 128, 128),
    ProductShape("v1 28² 256→256", 28, 1, 256, 256),
    ProductShape("v2 14² 64→384", 14, 1, 64, 384),
    ProductShape("v1 14² 512→512", 14, 1, 512, 512),
    ProductShape("v2 7² 160→960", 7, 1, 160, 960),
    ProductShape("v1 7² 1024→1024", 7, 1, 1024, 1024),
    ProductShape("v1 classifier", 1, 1, 1024, 1000),
    ProductShape("resnet 56² 64→256", 56, 1, 64, 256),
    ProductShape("resnet 56² 3×3 64", 56, 3, 64, 64),
    ProductShape("resnet 28² 3×3 128", 28, 3, 128, 128),
    ProductShape("resnet 14² 3×3 256", 14, 3, 256, 256),
    ProductShape("resnet 7² 3×3 512", 7, 3, 512, 512),
    ProductShape("resnet 14² 1024→256", 14, 1, 1024, 256),
    ProductShape("resnet 7² 2048→512", 7, 1, 2048, 512),
  ]

  init(_ name: String, _ side: Int, _ window: Int, _ depth: Int, _ columns: Int) {
    (self.name, self.side, self.window) = (name, side, window)
    (self.depth, self.columns) = (depth, columns)
  }
}

/// A depthwise layer of a known network.
struct DepthwiseShape {
  let name: String
  /// Output pixels along each side.
  let side: Int
  let window: Int
  let step: Int
  let channels: Int

  var products: Double { Double(side * side * window * window * channels) }

  static let all = [
    DepthwiseShape("v1 112² 3×3 32", 112, 3, 1, 32),
    DepthwiseShape("v1 56² 3×3/2 64", 56, 3, 2, 64),
    DepthwiseShape("v2 56² 3×3 144", 56, 3, 1, 144),
    DepthwiseShape("v1 28² 3×3 256", 28, 3, 1, 256),
    DepthwiseShape("v1 14² 3×3 512", 14, 3, 1, 512),
    DepthwiseShape("v2 7² 3×3 960", 7, 3, 1, 960),
    DepthwiseShape("v3 14² 5×5 240", 14, 5, 1, 240),
  ]

  init(_ name: String, _ side: Int, _ window: Int, _ step: Int, _ channels: Int) {
    (self.name, self.side, self.window) = (name, side, window)
    (self.step, self.channels) = (step, channels)
  }
}
