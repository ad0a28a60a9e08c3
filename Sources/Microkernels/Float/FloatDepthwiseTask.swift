// SPDX-License-Identifier: Apache-2.0

/// A run of output pixels of a float depthwise convolution.
///
///     y[o, c] = clamp(bias[c] + Σ over taps t of pixels[offsets[t] + o · step][c] · w[t, c])
///
/// Each pointer stands for one input pixel with all its channels; pixels in the padding point to
/// zeroes. Every element is one chain of additions that starts at the bias and follows the taps.
@unsafe
@frozen
@usableFromInline
package struct FloatDepthwiseTask {
  /// Pointers to the input's pixels.
  @usableFromInline package var pixels: UnsafePointer<UnsafePointer<Float>>
  /// Where each tap's pointer for the first output pixel is.
  @usableFromInline package var offsets: UnsafePointer<Int>
  /// Taps.
  @usableFromInline package var tapCount: Int
  /// Pointers from one output pixel to the next.
  @usableFromInline package var step: Int
  /// Output pixels of the run.
  @usableFromInline package var outputCount: Int
  /// Channels.
  @usableFromInline package var channelCount: Int
  /// The panels of a `PackedFloatDepthwise`.
  @usableFromInline package var weights: UnsafeRawPointer
  /// Where the first output pixel goes.
  @usableFromInline package var output: UnsafeMutablePointer<Float>
  /// Floats from one output pixel to the next.
  @usableFromInline package var outputStride: Int
  /// The least result.
  @usableFromInline package var lowest: Float
  /// The greatest result.
  @usableFromInline package var highest: Float

  /// A run of these parts.
  package init(
    pixels: UnsafePointer<UnsafePointer<Float>>, offsets: UnsafePointer<Int>, tapCount: Int,
    step: Int, outputCount: Int, channelCount: Int, weights: UnsafeRawPointer,
    output: UnsafeMutablePointer<Float>, outputStride: Int, lowest: Float, highest: Float
  ) {
    unsafe self.pixels = pixels
    unsafe self.offsets = offsets
    unsafe self.tapCount = tapCount
    unsafe self.step = step
    unsafe self.outputCount = outputCount
    unsafe self.channelCount = channelCount
    unsafe self.weights = weights
    unsafe self.output = output
    unsafe self.outputStride = outputStride
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}
