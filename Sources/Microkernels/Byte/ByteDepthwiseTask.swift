// SPDX-License-Identifier: Apache-2.0

/// A run of output pixels of an 8-bit depthwise convolution.
///
///     y[o, c] = finish(bias[c] + Σ over taps t of
///                      (pixel(o, t)[c] − zₓ) · (w[t, c] − z_w))
///
/// Each pointer stands for one input pixel with all its channels; pixels in the padding point to
/// zero points. Sums are exact modulo 2^32.
@unsafe
@frozen
@usableFromInline
package struct ByteDepthwiseTask {
  /// Pointers to the input's pixels.
  @usableFromInline package var pixels: UnsafePointer<UnsafeRawPointer>
  /// Where to find the pixels under the window, whose rows are repeated for each plane.
  @usableFromInline package var window: DepthwiseWindow
  /// Output pixels of the run.
  @usableFromInline package var outputCount: Int
  /// Channels.
  @usableFromInline package var channelCount: Int
  /// The order in which the weights have the taps: `PackedByteDepthwise.order`.
  @usableFromInline package var order: ByteTapOrder
  /// What makes activations unsigned: 0x80 for `Int8`, 0 for `UInt8`.
  @usableFromInline package var activationFlip: UInt8
  /// The panels of a `PackedByteDepthwise`.
  @usableFromInline package var weights: UnsafeRawPointer
  /// How sums become output; its columns are in the packed order.
  @usableFromInline package var finish: ByteFinish
  /// Where the first output pixel goes.
  @usableFromInline package var output: UnsafeMutableRawPointer
  /// Bytes from one output pixel to the next.
  @usableFromInline package var outputStride: Int
  /// `ByteDepthwiseLayout.scratchByteCount` bytes, aligned to a vector.
  @usableFromInline package var scratch: UnsafeMutableRawPointer

  /// A run of these parts.
  package init(
    pixels: UnsafePointer<UnsafeRawPointer>, window: DepthwiseWindow, outputCount: Int,
    channelCount: Int, order: ByteTapOrder,
    activationFlip: UInt8,
    weights: UnsafeRawPointer, finish: ByteFinish, output: UnsafeMutableRawPointer,
    outputStride: Int, scratch: UnsafeMutableRawPointer
  ) {
    unsafe self.pixels = pixels
    unsafe self.window = window
    unsafe self.outputCount = outputCount
    unsafe self.channelCount = channelCount
    unsafe self.order = order
    unsafe self.activationFlip = activationFlip
    unsafe self.weights = weights
    unsafe self.finish = finish
    unsafe self.output = output
    unsafe self.outputStride = outputStride
    unsafe self.scratch = scratch
  }
}

/// In which order the weights of an 8-bit depthwise convolution have the taps, in groups of four,
/// or of two on wide levels, that are multiplied at once.
@frozen
@usableFromInline
package enum ByteTapOrder: Sendable {
  /// Row after row, groups across their ends: for any window.
  case flat
  /// Column after column, so that neighboring outputs share the columns' interleaved pixels.
  ///
  /// As `ByteTapGroups` has them: for windows of three neighboring columns and at most four rows, and
  /// for larger ones on levels that interleave them in memory. On wide
  /// levels two rows per group, then the last row from one column before the window on: for
  /// windows of three or five rows and as many columns.
  case columns
}

/// The part of a depthwise run that one call of a tile computes: one vector of channels.
@unsafe
@frozen
@usableFromInline
package struct ByteDepthwisePart {
  /// For each tap, where its pixel for the run's first output pixel is, and as many more as fill the
  /// last group; for `flat` order.
  @usableFromInline package var offsets: UnsafePointer<Int>
  /// The first output pixel.
  @usableFromInline package var first: Int
  /// Output pixels.
  @usableFromInline package var count: Int
  /// The first channel.
  @usableFromInline package var channel: Int
  /// The first channel's position in the packed order.
  @usableFromInline package var position: Int
  /// The channels' bias and weights.
  @usableFromInline package var panel: UnsafeRawPointer
  /// Where the sums go: 32 bits per pixel and channel of the tile.
  @usableFromInline package var sums: UnsafeMutableRawPointer
  /// Where columns are interleaved, on levels that do so in memory.
  @usableFromInline package var line: UnsafeMutableRawPointer
  /// Whether quantized values go to the task's output, by the fast form of `ByteFinish`, rather
  /// than sums to memory.
  @usableFromInline package var isScaled: Bool
}
