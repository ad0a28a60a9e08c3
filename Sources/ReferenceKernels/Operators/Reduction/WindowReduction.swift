// SPDX-License-Identifier: Apache-2.0

import Tensors

/// What `REDUCE_WINDOW` and `STABLEHLO_REDUCE_WINDOW` combine the elements of a window by.
package enum WindowFunction: Sendable, Hashable {
  case sum, product, maximum, minimum, all, any
}

/// How windows slide over a tensor, or over the tensor and padding.
package struct WindowReduction: Sendable, Hashable {
  /// The windows along an axis.
  package struct Axis: Sendable, Hashable {
    /// How many windows fit.
    package let count: Int
    /// Elements of a window.
    package let window: Int
    /// Where the next window lies; 0 where there is none.
    package let windowStride: Int
    /// Where the next element of a window lies; 0 where there is none.
    package let elementStride: Int

    /// The windows along an axis of `length` elements that lie `stride` apart.
    ///
    /// - Parameters:
    ///   - length: the axis' length.
    ///   - stride: how far apart neighbors lie in the tensor.
    ///   - window: elements of a window, at least 1.
    ///   - step: from one window to the next, at least 1.
    ///   - distance: from one element of a window to the next, at least 1.
    package init(length: Int, stride: Int, window: Int, step: Int, distance: Int) {
      self.window = window
      let (reach, overflow) = (window - 1).multipliedReportingOverflow(by: distance)
      count = overflow || reach >= length ? 0 : (length - 1 - reach) / step + 1
      // Numbers that lead from one element of the tensor to another are less than its length.
      windowStride = count > 1 ? step * stride : 0
      elementStride = window > 1 && count > 0 ? distance * stride : 0
    }
  }

  /// Where the tensor's elements lie among the padding; nil without any.
  package let padding: InteriorPadding?
  /// The windows.
  package let axes: [Axis]
  /// What becomes of a window.
  package let function: WindowFunction

  /// The kernel for elements of `type`; truth values are numbers here, as in TFLite.
  func kernel(_ type: ElementType) throws(KernelError) -> any Kernel {
    switch type {
    case .float32: kernel(of: Float.self)
    case .float64: kernel(of: Double.self)
    case .int8, .bool: kernel(of: Int8.self)
    case .uint8: kernel(of: UInt8.self)
    case .int16: kernel(of: Int16.self)
    case .int32: kernel(of: Int32.self)
    case .int64: kernel(of: Int64.self)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func kernel<Element>(of type: Element.Type) -> any Kernel
  where Element: CombinedElement & Comparable & ExpressibleByIntegerLiteral {
    LoopKernel(WindowReductionLoop(WindowArithmetic<Element>(function: function), self))
  }
}
