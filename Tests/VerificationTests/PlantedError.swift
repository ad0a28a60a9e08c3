// SPDX-License-Identifier: Apache-2.0

import Martlet
import ReferenceKernels
import Tensors

/// A kernel whose results are another's, but for one quantized value that is one step too high.
final class OffByOne: Kernel {
  private let kernel: any Kernel
  private let position: Int

  init(_ kernel: any Kernel, at position: Int) {
    self.kernel = kernel
    self.position = position
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    try kernel.evaluate(frame)
    var codes = frame.output(0, as: Int8.self)
    codes[position] = codes[position] == .max ? .max - 1 : codes[position] + 1
  }
}

/// A kernel of 32-bit integers whose first result is one too high.
final class OneTooMany: Kernel {
  private let kernel: any Kernel

  init(_ kernel: any Kernel) { self.kernel = kernel }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    try kernel.evaluate(frame)
    var values = frame.output(0, as: Int32.self)
    values[0] &+= 1
  }
}

extension KernelSet {
  typealias ByteConvolution =
    LoopKernel<ConvolutionLoop<Conv2DNest, QuantizedConvolution<Int8, Int8>>>
  typealias ByteAddition = LoopKernel<BinaryLoop<QuantizedAddition<Int8>>>
  typealias Counting = LoopKernel<BinaryLoop<WrappingAddition<Int32>>>

  /// The set with an error in int8 convolutions whose filter has this shape.
  func erring(filter: Shape, at position: Int) -> KernelSet {
    replacing(ByteConvolution.self) { kernel, node, _ in
      guard node.inputs[1]?.type.shape == filter else { return nil }
      return OptimizedKernel(OffByOne(kernel, at: position))
    }
  }

  /// The set with an error in int8 additions that give tensors of this shape.
  func erring(sum: Shape, at position: Int) -> KernelSet {
    replacing(ByteAddition.self) { kernel, node, _ in
      guard node.declaredOutputs[0].shape == sum else { return nil }
      return OptimizedKernel(OffByOne(kernel, at: position))
    }
  }

  /// The set with an error in additions of 32-bit integers of this shape.
  func erring(count: Shape) -> KernelSet {
    replacing(Counting.self) { kernel, node, _ in
      guard node.declaredOutputs[0].shape == count else { return nil }
      return OptimizedKernel(OneTooMany(kernel))
    }
  }
}
