// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels
package import Tensors

/// Elements that `PAD` adds around images, for a convolution or maximum that takes them as its own
/// padding.
package struct ImagePadding: Sendable {
  /// Heights and widths.
  package struct Size: Sendable, Hashable {
    /// Along the height.
    package let rows: Int
    /// Along the width.
    package let columns: Int
  }

  /// Elements in front of an image's first row and first column.
  package let before: Size
  /// The images without what is added.
  package let image: Size
  /// The added element, as stored.
  package let element: TensorBytes

  /// What `kernel` adds to images of type `type`, to make those of shape `output`; nil where it
  /// does anything else.
  package init?(_ kernel: any Kernel, input type: TensorType, output: Shape) {
    let input = type.shape
    guard let copies = Self.copies(of: kernel, type.elementType),
      case .value(let element) = copies.background, copies.boxes.count == 1,
      copies.boxes[0].count == 1, input.rank == 4, output.rank == 4, input[0] == output[0],
      input[3] == output[3], input.elementCount > 0
    else { return nil }
    let box = copies.boxes[0][0]
    let (rowStride, columnStride) = (output[2] * output[3], output[3])
    before = Size(rows: box.to / rowStride, columns: box.to % rowStride / columnStride)
    image = Size(rows: input[1], columns: input[2])
    self.element = element
    let start = before.rows * rowStride + before.columns * columnStride
    let axes = zip(input.dimensions, zip(input.strides, output.strides)).map {
      BoxCopy.Axis($0, input: $1.0, output: $1.1)
    }
    guard box == BoxCopy(to: start, axes), before.rows + image.rows <= output[1],
      before.columns + image.columns <= output[2]
    else { return nil }
  }

  /// The copies that `kernel` makes of such elements; nil where it does anything else.
  private static func copies(of kernel: any Kernel, _ type: ElementType) -> BoxCopies? {
    // The runtime takes longer to find out about a type than all else here takes.
    switch type.bitCount {
    case 8: (kernel as? BoxCopyKernel<UInt8>)?.loop.copies
    case 16: (kernel as? BoxCopyKernel<UInt16>)?.loop.copies
    case 32: (kernel as? BoxCopyKernel<UInt32>)?.loop.copies
    default: nil
    }
  }
}

/// A loop over windows that slide over images, which can do without a `PAD` in front of it.
package protocol PaddableLoop: KernelLoop {
  /// The loop over images to which `padding` has not been added, with the same results; nil where
  /// taps in the padding cannot be left out.
  func padded(by padding: ImagePadding) -> Self?
}

/// A nest whose windows slide over images.
package protocol PaddableNest: FlattenableNest {
  /// The same windows over images to which `padding` has not been added.
  func padded(by padding: ImagePadding) -> Self
}

/// An arithmetic in which one activation contributes nothing to any sum.
package protocol PaddableArithmetic: ConvolutionArithmetic {
  /// Whether `element` is that activation.
  func isNothing(_ element: Input) -> Bool
}

extension FloatConvolution: PaddableArithmetic {
  package func isNothing(_ element: Float) -> Bool { element == 0 }
}

extension QuantizedConvolution: PaddableArithmetic {
  package func isNothing(_ element: Activation) -> Bool { Int32(element) == inputZeroPoint }
}

extension WideProducts: PaddableArithmetic {
  package func isNothing(_ element: Int16) -> Bool { element == 0 }
}

extension WindowAxis {
  /// The same positions over an input of `length` elements that has `before` more in front of it.
  fileprivate func padded(before: Int, input length: Int) -> WindowAxis {
    WindowAxis(self, input: length, padding: padding + before)
  }
}

extension WindowGeometry {
  fileprivate func padded(by padding: ImagePadding) -> WindowGeometry {
    WindowGeometry(
      rows: rows.padded(before: padding.before.rows, input: padding.image.rows),
      columns: columns.padded(before: padding.before.columns, input: padding.image.columns))
  }
}

extension Conv2DNest: PaddableNest {
  package func padded(by padding: ImagePadding) -> Conv2DNest {
    var nest = self
    nest.geometry = geometry.padded(by: padding)
    return nest
  }
}

extension DepthwiseConv2DNest: PaddableNest {
  package func padded(by padding: ImagePadding) -> DepthwiseConv2DNest {
    var nest = self
    nest.geometry = geometry.padded(by: padding)
    return nest
  }
}

extension ConvolutionLoop: PaddableLoop where Nest: PaddableNest, Arithmetic: PaddableArithmetic {
  package func padded(by padding: ImagePadding) -> ConvolutionLoop? {
    let element = padding.element.span(as: Arithmetic.Input.self)
    guard !element.isEmpty, arithmetic.isNothing(element[0]) else { return nil }
    return ConvolutionLoop(
      arithmetic, nest.padded(by: padding), unpackedFilter: unpackedFilter)
  }
}

/// A pooling function that one element never changes.
package protocol PaddablePool: PoolArithmetic {
  /// Whether `element` is that element.
  func isNothing(_ element: Element) -> Bool
}

extension FloatMaximum: PaddablePool {
  package func isNothing(_ element: Float) -> Bool { element <= start }
}

extension QuantizedMaximum: PaddablePool {
  package func isNothing(_ element: Element) -> Bool { element == start }
}

extension Pool2DLoop: PaddableLoop where Arithmetic: PaddablePool {
  package func padded(by padding: ImagePadding) -> Pool2DLoop? {
    let element = padding.element.span(as: Arithmetic.Element.self)
    guard !element.isEmpty, arithmetic.isNothing(element[0]) else { return nil }
    var nest = nest
    nest.geometry = nest.geometry.padded(by: padding)
    return Pool2DLoop(arithmetic, nest)
  }
}
