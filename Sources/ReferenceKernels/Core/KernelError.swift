// SPDX-License-Identifier: Apache-2.0

public import Tensors

/// Why a node cannot be prepared or evaluated.
public struct KernelError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of obstacle.
  public enum Kind: Sendable, Equatable {
    /// The node breaks the operator's rules.
    case invalid
    /// The node is legal but of a form that no kernel here computes.
    case unsupported
    /// The node is legal, but no kernel here takes tensors of this type.
    case unsupportedType
    /// The values of the input at this position must be known first.
    case valueNeeded(Int)
    /// The values are others than planned for: the node is to be prepared anew.
    case unforeseen
  }

  /// Which of the node's tensors the error is about.
  public enum Tensor: Sendable, Equatable {
    /// The input at this position.
    case input(Int)
    /// The output at this position.
    case output(Int)
  }

  /// The kind of obstacle.
  public let kind: Kind
  /// What is wrong and what was wanted, in one clause.
  public let reason: String
  /// The tensor that the error is about, if it is about one.
  public let tensor: Tensor?

  /// An error of these parts.
  public init(_ kind: Kind, _ reason: String, _ tensor: Tensor? = nil) {
    self.kind = kind
    self.reason = reason
    self.tensor = tensor
  }

  /// The reason, with the tensor it is about.
  public var description: String {
    switch tensor {
    case .input(let position): "input \(position): \(reason)"
    case .output(let position): "output \(position): \(reason)"
    case nil: reason
    }
  }

  /// A broken rule.
  public static func invalid(_ reason: String, _ tensor: Tensor? = nil) -> KernelError {
    KernelError(.invalid, reason, tensor)
  }

  /// A form that is not supported.
  public static func unsupported(_ reason: String, _ tensor: Tensor? = nil) -> KernelError {
    KernelError(.unsupported, reason, tensor)
  }

  /// An element type that the operator has no kernel for.
  public static func elementType(_ type: ElementType, _ tensor: Tensor) -> KernelError {
    KernelError(.unsupportedType, "element type \(type.schemaName) is not supported", tensor)
  }

  /// A rank outside the allowed ones.
  public static func rank(_ rank: Int, wanted: String, _ tensor: Tensor) -> KernelError {
    KernelError(.invalid, "rank \(rank), wanted \(wanted)", tensor)
  }
}
