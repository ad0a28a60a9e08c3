// SPDX-License-Identifier: Apache-2.0

public import ModelFormat
public import ReferenceKernels
public import Tensors

/// Why a model cannot be loaded, prepared or run, and where in it the fault lies.
public struct InferenceError: Error, Sendable {
  /// What is wrong.
  public enum Reason: Sendable {
    /// The file cannot be read.
    case file(FileError)
    /// The file is no usable model.
    case model(ModelError)
    /// A node cannot be prepared or evaluated.
    case kernel(KernelError)
    /// No kernel here computes the operator of this name.
    case unsupportedOperator(String)
    /// The memory that the tensors need exceeds the interpreter's limit, in bytes.
    case memoryLimit(needed: Int?, limit: Int)
    /// A node takes more operations than the interpreter's limit; nil for more than 64 bits hold.
    case operationLimit(needed: Int?, limit: Int)
    /// The nodes of an invocation, or of planning it, cost more than the interpreter's limit, in
    /// the units of `Limits.workCount`; nil for more than 64 bits hold.
    case workLimit(needed: Int?, limit: Int)
    /// The invocation took longer than this, the interpreter's limit.
    case timeLimit(Duration)
    /// The caller asked for something that the model does not have or take.
    case invalidRequest(String)
    /// The model contradicts itself.
    case invalidGraph(String)
    /// `Interpreter.cancel()` was called, or the task was cancelled.
    case cancelled
  }

  /// What is wrong.
  public let reason: Reason
  /// Where it is wrong, outermost step first; empty for the model as a whole.
  public let path: [ModelError.Step]

  /// An error for `reason` at the end of `path`.
  public init(_ reason: Reason, path: [ModelError.Step] = []) {
    self.reason = reason
    self.path = path
  }

  static func invalidRequest(_ reason: String) -> InferenceError {
    InferenceError(.invalidRequest(reason))
  }
}
