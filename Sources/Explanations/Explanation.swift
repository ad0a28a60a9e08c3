// SPDX-License-Identifier: Apache-2.0

/// Where one element of a tensor comes from.
public struct Explanation: Sendable {
  /// The tensor.
  public let tensor: ExplainedTensor
  /// The element.
  public let element: ExplainedElement
  /// What gave the element its value.
  public let origin: Origin
  /// What came out when the value was computed once more; nil where that was not asked for, and
  /// where no node computed it.
  public let recomputation: Recomputation?

  /// What gives a tensor its values.
  public enum Origin: Sendable {
    /// The model holds them.
    case constant
    /// The caller gave them.
    case input
    /// They are kept from one invocation to the next.
    case variable
    /// A node computed them.
    case node(ExplainedNode)
  }
}

/// How a node computed one element.
public struct ExplainedNode: Sendable {
  /// The index of the node in its subgraph.
  public let index: Int
  /// The operator's schema name, or a custom operator's own.
  public let operatorName: String
  /// Which of the node's outputs the element belongs to.
  public let output: Int
  /// The type of the reference kernel; nil where the engine itself runs the operator.
  public let kernel: String?
  /// The types that the kernel is made of, each with its file and formula.
  public let sources: [KernelSource]
  /// What the node reads; nil where an optional input is absent.
  public let inputs: [ExplainedInput?]
  /// The elements that went into the value, in the order in which the kernel reads them.
  public let terms: [ExplainedTerm]
  /// The bias that is added to the sum of the terms; nil without one.
  public let bias: ExplainedTerm.Factor?
  /// What became of them, in order; the last step's value is the stored one.
  public let steps: [ExplainedStep]
  /// What the explanation leaves out, as a sentence; nil where it is complete.
  public let remark: String?
}

/// An input of a node.
public struct ExplainedInput: Sendable {
  /// The tensor.
  public let tensor: ExplainedTensor
  /// Whether the model holds its values.
  public let isConstant: Bool
}

/// The value of an element, computed once more.
public struct Recomputation: Sendable {
  /// How.
  public let method: Method
  /// What came out.
  public let value: StoredValue?
  /// Whether that is the stored value, bit for bit.
  public let isEqual: Bool

  /// Ways of computing a value once more.
  public enum Method: String, Sendable {
    /// From the listed numbers, by the explanation's own arithmetic.
    case steps
    /// By the reference kernel, from the inputs that the node had.
    case kernel
    /// By the whole model, as the engine itself runs the operator.
    case model
  }
}
