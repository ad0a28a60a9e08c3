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
    ///   - stride: how far apart neighbours lie in the tensor.
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
    case .float32: LoopKernel(WindowReductionLoop<Float>(reduction: self))
    case .float64: LoopKernel(WindowReductionLoop<Double>(reduction: self))
    case .int8, .bool: LoopKernel(WindowReductionLoop<Int8>(reduction: self))
    case .uint8: LoopKernel(WindowReductionLoop<UInt8>(reduction: self))
    case .int16: LoopKernel(WindowReductionLoop<Int16>(reduction: self))
    case .int32: LoopKernel(WindowReductionLoop<Int32>(reduction: self))
    case .int64: LoopKernel(WindowReductionLoop<Int64>(reduction: self))
    case let other: throw .elementType(other, .input(0))
    }
  }
}
