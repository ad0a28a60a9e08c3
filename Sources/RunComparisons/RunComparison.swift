// SPDX-License-Identifier: Apache-2.0

public import Tensors
public import Traces

/// A run compared with a recorded one, tensor by tensor.
public struct RunComparison: Sendable {
  /// What nodes computed, in the order of the run.
  public internal(set) var tensors: [Tensor] = []
  /// The first node that errs by itself; nil where none does, or nobody looked for it.
  public internal(set) var culprit: Culprit?

  /// A tensor that a node computed.
  public struct Tensor: Sendable {
    /// The tensor and its time.
    public let location: TensorLocation
    /// The node that computed it.
    public let node: Int
    /// The operator's schema name, or a custom operator's own name.
    public let operatorName: String
    /// The type of the kernel that computed it; nil where none was needed.
    public let kernelName: String?
    /// The tensor's own name.
    public let name: String
    /// Element type, shape and quantization.
    public let type: TensorType
    /// The type of the recorded tensor; nil where there is none.
    public internal(set) var referenceType: TensorType?
    /// How the tensor differs when everything before it was computed by the same side; nil where
    /// it cannot be compared.
    public internal(set) var cumulative: TensorDifference?
    /// How it differs when its node alone is computed, on the recorded inputs; nil where that was
    /// not done.
    public internal(set) var isolated: TensorDifference?
    /// Why one of the two is missing; nil where nothing is amiss.
    public internal(set) var note: String?
  }

  /// A node that computes something else from the same inputs.
  public struct Culprit: Sendable {
    /// Its first output that differs: an index into `tensors`.
    public let tensor: Int
    /// Whether it did so again, computed by itself in another interpreter.
    public let isConfirmed: Bool
  }

  /// Which of a tensor's two differences is meant.
  public enum Mode: String, Sendable {
    /// Both sides computed everything on their own.
    case cumulative
    /// Each node was computed on the recorded inputs.
    case isolated
  }

  /// The first tensor that differs by more than the tolerance, as an index into `tensors`.
  public func firstDifference(_ mode: Mode) -> Int? {
    tensors.firstIndex { $0.difference(mode)?.isExcessive == true || $0.hasOtherShape }
  }

  /// The tensor with the least signal-to-noise ratio, as an index into `tensors`.
  ///
  /// Of equal ones it is the first; it is nil where nothing differs.
  public func worst(_ mode: Mode) -> Int? {
    var worst: (index: Int, ratio: Double)?
    for (index, tensor) in tensors.enumerated() {
      guard let difference = tensor.difference(mode), difference.differingCount > 0,
        let ratio = difference.signalToNoise, worst.map({ ratio < $0.ratio }) ?? true
      else { continue }
      worst = (index, ratio)
    }
    return worst?.index
  }

  /// The tensors that were not compared with anything.
  public var unpairedCount: Int { tensors.count { $0.referenceType == nil } }

  /// Where a limit is broken.
  public struct Failure: Sendable {
    /// The limit.
    public let limit: DifferenceLimit
    /// The tensor, as an index into `RunComparison.tensors`.
    public let tensor: Int
    /// What the metric is; nil where the shapes differ, which breaks every limit.
    public let value: Double?
  }

  /// Where limits are broken, in the order of the tensors.
  public func failures(of limits: [DifferenceLimit], _ mode: Mode) -> [Failure] {
    tensors.enumerated().flatMap { index, tensor -> [Failure] in
      limits.compactMap { limit in
        guard let difference = tensor.difference(mode) else {
          return tensor.hasOtherShape ? Failure(limit: limit, tensor: index, value: nil) : nil
        }
        guard limit.isBroken(by: difference) else { return nil }
        return Failure(limit: limit, tensor: index, value: limit.metric.value(of: difference))
      }
    }
  }
}

extension RunComparison.Tensor {
  /// The difference that `mode` means.
  public func difference(_ mode: RunComparison.Mode) -> TensorDifference? {
    switch mode {
    case .cumulative: cumulative
    case .isolated: isolated
    }
  }

  /// Whether the recorded tensor has another shape, so that the two have nothing in common.
  public var hasOtherShape: Bool { referenceType.map { $0.shape != type.shape } ?? false }
}
