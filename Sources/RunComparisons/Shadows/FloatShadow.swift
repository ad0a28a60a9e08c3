// SPDX-License-Identifier: Apache-2.0

public import Martlet
internal import ModelFormat
internal import Tensors
internal import Traces

/// What a run would have computed without quantization: each node once more in float32.
///
/// Weights and inputs are the real numbers that their quantized values stand for,
/// `scale × (quantized − zeroPoint)`; operators, options and fused activations are the model's. An
/// operator that moves numbers between formats (`QUANTIZE`, `DEQUANTIZE`) passes them on. Where the
/// lowest quantized value of a result stands for zero, its shadow is not negative, and where the
/// highest stands for six, not greater: ranges that training has learnt stand for ReLU and ReLU6.
public struct FloatShadow: Sendable {
  /// The tensors that nodes of the main graph compute, in the order of the run.
  public let tensors: [Tensor]

  /// A computed tensor and how far it is from its shadow.
  public struct Tensor: Sendable {
    /// The index of the node that computes it.
    public let node: Int
    /// The tensor's index in the main graph.
    public let tensor: Int
    /// The difference from what the node computes in float32 on the same inputs as in the run.
    ///
    /// It is what quantization does in this node; nil where it was not computed.
    public let isolated: TensorDifference?
    /// The difference from the shadow of the whole run up to here; nil where it was not computed.
    public let cumulative: TensorDifference?
    /// Why something is missing.
    public let note: String?
  }

  /// The shadow of the latest run of `interpreter`; nil where no tensor of it is quantized.
  ///
  /// - Precondition: the run was of the main graph, and all its tensors were kept
  ///   (`Interpreter.Options.keepsAllTensors`).
  public init?(of interpreter: Interpreter) {
    guard let table = interpreter.table,
      table.types.contains(where: { $0.map { AffineScales($0) != nil } ?? false })
    else { return nil }
    var run = ShadowRun(interpreter, table)
    tensors = run.tensors()
  }
}
