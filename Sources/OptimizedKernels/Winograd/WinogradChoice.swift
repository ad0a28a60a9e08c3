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

  /// Multiplications of the definition from which on some microseconds are gained.
  private static let workLimit = 1.0 * 1024 * 1024

  // Numbers are in Double, as a product of sizes from a model may be any number.

  /// Pixels of the output.
  fileprivate var pixelCount: Double { Double(batchCount) * Double(geometry.outputCount) }

  /// Weights of a pixel of the window.
  fileprivate var weightsPerTap: Double { Double(inputDepth) * Double(outputDepth) }

  /// Whether there are pixels, and channels of input and output, enough for minimal filtering.
  fileprivate func isWorthMinimalFiltering(channelLimit: Int) -> Bool {
    allowsMinimalFiltering && min(inputDepth, outputDepth) >= channelLimit
      && pixelCount * weightsPerTap * 9 >= Self.workLimit
  }
}

extension WinogradTileSize {
  /// Channels of input and output from which on products, not transforms, take the time.
  private static let channelLimit = 16
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
    guard nest.isWorthMinimalFiltering(channelLimit: Self.channelLimit) else { return nil }
    let channelCount = Double(nest.inputDepth) + Double(nest.outputDepth)
    let activations = nest.pixelCount * channelCount * 4
    func filterByteCount(_ size: Self) -> Double {
      nest.weightsPerTap * Double(size.matrixCount) * 4
    }
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

extension Winograd where Format == FloatTiles {
  /// The convolution of `loop` by minimal filtering; nil where it would not gain, or in tiles of
  /// `size` if given.
  convenience init?(
    _ loop: ConvolutionLoop<Conv2DNest, FloatConvolution>, _ node: PrepareContext,
    _ cache: WeightCache, _ set: MicrokernelSet, size: WinogradTileSize? = nil
  ) {
    guard let size = size ?? WinogradTileSize(loop.nest),
      let format = FloatTiles(loop, size, node, cache, set)
    else { return nil }
    self.init(loop.nest, size, format)
  }
}

extension Winograd where Format == ByteTiles {
  /// A convolution by minimal filtering; nil where it is not possible or, unless `always`, would not
  /// gain or take too much memory.
  convenience init?(
    _ parts: ByteConvolutionParts, _ cache: WeightCache, _ set: MicrokernelSet,
    always: Bool = false
  ) {
    let nest = parts.nest
    guard always || nest.suitsByteTiles, let format = ByteTiles(parts, cache, set)
    else { return nil }
    self.init(nest, .two, format)
  }
}

extension Conv2DNest {
  /// Channels of input and output from which on products of words take the time.
  private static let byteChannelLimit = 32
  /// Bytes of a transformed filter, 32/9 of the filter, that are granted: beyond, reading it takes
  /// what is gained.
  private static let byteFilterLimit = 2.25 * 1024 * 1024

  fileprivate var suitsByteTiles: Bool {
    isWorthMinimalFiltering(channelLimit: Self.byteChannelLimit)
      && weightsPerTap * Double(TransformedByteFilter.matrixCount) * 2 <= Self.byteFilterLimit
  }
}

extension KernelSet {
  /// The reference kernels with minimal filtering in tiles of `size` wherever it is possible.
  package static func minimalFiltering(
    _ size: WinogradTileSize, for set: MicrokernelSet
  ) -> KernelSet {
    KernelSet(
      "minimal filtering",
      KernelTable().replacing(Conv2DNest.self, FloatConvolution.self) {
        Winograd<FloatTiles>($0.loop, $1, $2, set, size: size).map { OptimizedKernel($0) }
      })
  }

  /// The reference kernels with minimal filtering of quantized values wherever it is possible.
  package static func minimalByteFiltering(for set: MicrokernelSet) -> KernelSet {
    KernelSet(
      "minimal filtering",
      KernelTable()
        .replacing(Conv2DNest.self, QuantizedConvolution<Int8, Int8>.self) {
          ByteConvolutionParts($0.loop, $1, set.byte.layout)?.minimalFiltering($2, set)
        }
        .replacing(Conv2DNest.self, QuantizedConvolution<UInt8, UInt8>.self) {
          ByteConvolutionParts($0.loop, $1, set.byte.layout)?.minimalFiltering($2, set)
        })
  }
}

extension ByteConvolutionParts {
  /// The kernel that computes the convolution by minimal filtering, whether it gains or not.
  fileprivate func minimalFiltering(
    _ cache: WeightCache, _ set: MicrokernelSet
  ) -> KernelSet.OptimizedKernel? {
    Winograd<ByteTiles>(self, cache, set, always: true).map { KernelSet.OptimizedKernel($0) }
  }
}
