// SPDX-License-Identifier: Apache-2.0

/// Float kernels of one instruction-set level.
@safe
package struct FloatMicrokernels: Sendable {
  /// How products are laid out and cut up.
  package let layout: FloatGemmLayout
  let tile: Tile
  let depthwiseRun: DepthwiseRun

  /// Computes a tile of a product; the panel is as wide as one or two vectors.
  package typealias Tile = @Sendable (FloatTileTask, _ vectors: Int) -> Void
  /// Computes a run of output pixels of a depthwise convolution.
  package typealias DepthwiseRun = @Sendable (FloatDepthwiseTask) -> Void

  /// The kernels of these functions.
  package init(
    layout: FloatGemmLayout, tile: @escaping Tile, depthwiseRun: @escaping DepthwiseRun
  ) {
    self.layout = layout
    unsafe self.tile = tile
    unsafe self.depthwiseRun = depthwiseRun
  }

  /// Computes a run of output pixels of a depthwise convolution.
  @unsafe
  package func depthwise(_ task: FloatDepthwiseTask) { unsafe depthwiseRun(task) }
}
