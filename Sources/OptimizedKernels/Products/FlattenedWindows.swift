// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels

extension WindowGeometry {
  /// The same windows over an image of one line, in which the lines of the image follow each other as
  /// they do in memory; nil where windows do not span its width, or it is one line already.
  ///
  /// Sounds and other series in time come so, a frame in each line. Kernels compute several outputs of
  /// a line at once, and begin anew with each line.
  var flattened: WindowGeometry? {
    guard rows.input > 1, columns.output == 1, columns.padding == 0,
      columns.window == columns.input, columns.dilation == 1,
      rows.dilation == 1 || columns.window == 1
    else { return nil }
    let line = WindowAxis(input: 1, window: 1, output: 1, padding: 0)
    return WindowGeometry(rows: line, columns: WindowAxis(rows, width: columns.input))
  }
}

extension WindowAxis {
  /// The axis of lines of `width` elements, which follow each other.
  fileprivate init(_ lines: WindowAxis, width: Int) {
    self.init(
      input: lines.input * width, window: lines.window * width, stride: lines.stride * width,
      dilation: lines.dilation, output: lines.output, padding: lines.padding * width)
  }
}

/// A nest whose windows may slide over images of one line instead.
package protocol FlattenableNest: ConvolutionNest {
  /// How windows slide.
  var geometry: WindowGeometry { get set }
}

extension Conv2DNest: FlattenableNest {}
extension DepthwiseConv2DNest: FlattenableNest {}

extension FlattenableNest {
  /// The same sums over images of one line; nil where images have one already, or need several.
  var flattened: Self? {
    guard let geometry = geometry.flattened else { return nil }
    var nest = self
    nest.geometry = geometry
    return nest
  }
}

extension LoopKernel {
  /// The same kernel over images of one line; nil where images have one already, or need several.
  func flattened<Nest: FlattenableNest, Arithmetic>() -> LoopKernel?
  where Loop == ConvolutionLoop<Nest, Arithmetic> {
    guard let nest = loop.nest.flattened else { return nil }
    return LoopKernel(ConvolutionLoop(loop.arithmetic, nest, unpackedFilter: loop.unpackedFilter))
  }

  /// The same kernel over images of one line; nil where images have one already, or need several.
  func flattened<Nest: FlattenableNest, Arithmetic>() -> LoopKernel?
  where Loop == HybridConvolutionLoop<Nest, Arithmetic> {
    guard let nest = loop.nest.flattened else { return nil }
    return LoopKernel(
      HybridConvolutionLoop(
        loop.arithmetic, loop.quantization, nest, unpackedFilter: loop.unpackedFilter))
  }
}
