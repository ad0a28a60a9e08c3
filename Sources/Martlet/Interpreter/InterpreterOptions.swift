// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
public import ResourceLimits
public import Tensors

extension Interpreter {
  /// How an interpreter computes.
  public struct Options: Sendable {
    /// Which kernels compute the nodes.
    public var kernels: KernelSet = .optimized
    /// Which rounding quantized kernels follow.
    public var rounding: Rounding = .double
    /// How many threads share the work of a node; at least 1.
    public var threadCount = 1
    /// Whether every tensor of a run can be read afterwards; memory is not reused then.
    public var keepsAllTensors = false
    /// Operators beyond the built-in ones.
    public var customOperators = CustomOperators()
    /// What runs may take; nil for the model's own limits.
    public var limits: Limits?

    /// Optimized kernels, double rounding, one thread.
    public init() {}
  }

  /// An input or output of the model.
  public struct TensorInfo: Sendable {
    /// The index of the tensor in its subgraph.
    public let index: Int
    /// The tensor's own name.
    public let name: String
    /// The name that the signature gives it; nil without a signature.
    public let argument: String?
    /// Element type, shape and quantization; nil for an output whose shape only a run tells.
    public let type: TensorType?
    /// The dimensions that the model leaves open, as -1; nil where it fixes all.
    public let shapeSignature: [Int]?

    /// Whether `name` is the signature's or the tensor's own name for this tensor.
    public func isCalled(_ name: String) -> Bool { argument == name || self.name == name }
  }
}
