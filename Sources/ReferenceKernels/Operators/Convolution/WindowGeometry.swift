// SPDX-License-Identifier: Apache-2.0

package import ModelSchema

/// How a window slides along one axis of an image.
package struct WindowAxis: Sendable, Hashable {
  /// Length of the input along the axis.
  package let input: Int
  /// Taps of the window.
  package let window: Int
  /// Input elements from one window position to the next.
  package let stride: Int
  /// Input elements from one tap to the next.
  package let dilation: Int
  /// Window positions: the length of the output.
  package let output: Int
  /// Virtual input elements in front of the first one.
  package let padding: Int

  /// A window of `window` taps over `input` elements.
  ///
  /// SAME gives `⌈input / stride⌉` positions and pads what the last one lacks, the odd element at
  /// the end; VALID gives the positions that need no padding. TFLite: `padding.h`.
  ///
  /// - Throws: `KernelError` unless stride, dilation and window are positive.
  package init(
    input: Int, window: Int, stride: Int, dilation: Int, padding: Padding
  ) throws(KernelError) {
    guard stride > 0 else { throw .invalid("stride \(stride), wanted at least 1") }
    guard dilation > 0 else { throw .invalid("dilation \(dilation), wanted at least 1") }
    guard window > 0 else { throw .invalid("window of \(window) taps, wanted at least 1") }
    // All four come from 32-bit numbers or from shapes, so these products fit 64 bits.
    let reach = (window - 1) * dilation + 1
    switch padding {
    case .same: output = (input + stride - 1) / stride
    case .valid: output = max(0, (input + stride - reach) / stride)
    }
    self.padding = max(0, (output - 1) * stride + reach - input) / 2
    self.input = input
    self.window = window
    self.stride = stride
    self.dilation = dilation
  }

  /// A window of `window` neighboring taps that moves by one element, to `output` positions; the
  /// first one lies `padding` elements in front of the input, or behind its start where negative.
  package init(input: Int, window: Int, output: Int, padding: Int) {
    self.input = input
    self.window = window
    self.output = output
    self.padding = padding
    (stride, dilation) = (1, 1)
  }

  /// A window of these parts, `output` positions of it.
  package init(
    input: Int, window: Int, stride: Int, dilation: Int, output: Int, padding: Int
  ) {
    self.input = input
    self.window = window
    self.stride = stride
    self.dilation = dilation
    self.output = output
    self.padding = padding
  }

  /// The same window at the same positions, over another input and with another padding.
  package init(_ axis: WindowAxis, input: Int, padding: Int) {
    self.input = input
    self.padding = padding
    (window, stride, dilation, output) = (axis.window, axis.stride, axis.dilation, axis.output)
  }

  /// Where the first tap of the window at `position` lies; negative within the padding.
  @inline(__always)
  package func origin(_ position: Int) -> Int { position * stride - padding }

  /// The taps that lie within the input for a window whose first tap lies at `origin`.
  @inline(__always)
  package func taps(from origin: Int) -> Range<Int> {
    // Most windows are not dilated, and divisions take long.
    let first = origin >= 0 ? 0 : dilation == 1 ? 0 - origin : (dilation - 1 - origin) / dilation
    let inside = dilation == 1 ? input - origin : (input - origin + dilation - 1) / dilation
    let last = min(window, origin >= input ? 0 : inside)
    return first < last ? first..<last : 0..<0
  }
}

extension WindowAxis {
  /// The window positions that contain the input element `element`, where dilation is 1.
  @inline(__always)
  package func positions(containing element: Int) -> Range<Int> {
    let reach = element + padding
    let first = reach < window ? 0 : (reach - window) / stride + 1
    let end = min(output, reach / stride + 1)
    return first < end ? first..<end : 0..<0
  }

  /// The tap that lies on the input element `element` when the window is at `position`.
  @inline(__always)
  package func tap(on element: Int, at position: Int) -> Int { element - origin(position) }
}

/// How a two-dimensional window slides over an image.
package struct WindowGeometry: Sendable, Hashable {
  /// Along the height.
  package let rows: WindowAxis
  /// Along the width.
  package let columns: WindowAxis

  /// Positions in an image of the input.
  package var inputCount: Int { rows.input * columns.input }
  /// Positions in an image of the output.
  package var outputCount: Int { rows.output * columns.output }

  /// The geometry of these axes.
  package init(rows: WindowAxis, columns: WindowAxis) {
    self.rows = rows
    self.columns = columns
  }
}
