// SPDX-License-Identifier: Apache-2.0

/// A run of output pixels of a float depthwise convolution.
///
///     y[o, c] = clamp(bias[c] + Σ over taps t of pixel(o, t)[c] · w[t, c])
///
/// Each pointer stands for one input pixel with all its channels; pixels in the padding point to
/// zeroes. Every element is one chain of additions that starts at the bias and follows the taps.
@unsafe
@frozen
@usableFromInline
package struct FloatDepthwiseTask {
  /// Pointers to the input's pixels.
  @usableFromInline package var pixels: UnsafePointer<UnsafePointer<Float>>
  /// Where to find the pixels under the window.
  @usableFromInline package var window: DepthwiseWindow
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
    pixels: UnsafePointer<UnsafePointer<Float>>, window: DepthwiseWindow, outputCount: Int,
    channelCount: Int, weights: UnsafeRawPointer,
    output: UnsafeMutablePointer<Float>, outputStride: Int, lowest: Float, highest: Float
  ) {
    unsafe self.pixels = pixels
    unsafe self.window = window
    unsafe self.outputCount = outputCount
    unsafe self.channelCount = channelCount
    unsafe self.weights = weights
    unsafe self.output = output
    unsafe self.outputStride = outputStride
    unsafe self.lowest = lowest
    unsafe self.highest = highest
  }
}

/// The part of a depthwise run that one call of a tile computes.
@unsafe
@frozen
@usableFromInline
package struct FloatDepthwisePart {
  /// The run.
  @usableFromInline package var run: FloatDepthwiseTask
  /// For each tap, where its pixel for the run's first output pixel is.
  @usableFromInline package var offsets: UnsafePointer<Int>
  /// The first output pixel.
  @usableFromInline package var first: Int
  /// Output pixels.
  @usableFromInline package var count: Int
}
