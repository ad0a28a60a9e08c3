// SPDX-License-Identifier: Apache-2.0

package import Microkernels
import ReferenceKernels
import Tensors

extension Conv2DNest {
  /// Whether the window is 3 × 3 and moves by one pixel, without groups.
  var allowsMinimalFiltering: Bool {
    groupDepth == inputDepth
      && [geometry.rows, geometry.columns].allSatisfy { axis in
        axis.window == 3 && axis.stride == 1 && axis.dilation == 1
      }
  }

  /// Pixels of the output.
  fileprivate var pixelCount: Double { Double(batchCount) * Double(geometry.outputCount) }
}

extension WinogradTileSize {
  /// Channels of input and output from which on products, not transforms, take the time.
  private static let channelLimit = 16
  /// Multiplications of the definition from which on some microseconds are gained.
  private static let workLimit = 1.0 * 1024 * 1024
  /// Bytes of a transformed filter that are always granted.
  private static let filterLimit = 1024.0 * 1024
  /// Tiles that make up for reading a larger filter.
  private static let tileLimit = 32

  /// The tiles with which `nest` is to be computed; nil where it gains with none or would take too
  /// much memory.
  ///
  /// The transformed filter is four times as large as the filter, or 16/9 with small tiles. Large
  /// tiles are faster, but are for filters whose form is small, or not larger than the activations.
  init?(_ nest: Conv2DNest) {
    guard nest.allowsMinimalFiltering, min(nest.inputDepth, nest.outputDepth) >= Self.channelLimit
    else { return nil }
    // In Double, as a product of sizes from a model may be any number.
    let weightCount = Double(nest.inputDepth) * Double(nest.outputDepth)
    let channelCount = Double(nest.inputDepth) + Double(nest.outputDepth)
    guard nest.pixelCount * weightCount * 9 >= Self.workLimit else { return nil }
    let activations = nest.pixelCount * channelCount * 4
    func filterByteCount(_ size: Self) -> Double { weightCount * Double(size.matrixCount) * 4 }
    if filterByteCount(.four) <= max(Self.filterLimit, activations) {
      self = .four
    } else if filterByteCount(.two) <= Self.filterLimit
      || WinogradTiles(nest, .two).count >= Self.tileLimit
    {
      self = .two
    } else {
      return nil
    }
  }
}

extension FloatWinograd {
  /// The convolution of `loop` by minimal filtering; nil where it would not gain.
  convenience init?(
    _ loop: ConvolutionLoop<Conv2DNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    guard let size = WinogradTileSize(loop.nest) else { return nil }
    self.init(loop, size, node, cache, set)
  }
}

extension KernelSet {
  /// The reference kernels with minimal filtering in tiles of `size` wherever it is possible.
  package static func minimalFiltering(
    _ size: WinogradTileSize, for set: MicrokernelSet
  ) -> KernelSet {
    KernelSet("minimal filtering").replacing(Conv2DNest.self, FloatConvolution.self) {
      FloatWinograd($0.loop, size, $1, $2, set).map { OptimizedKernel($0) }
    }
  }
}
