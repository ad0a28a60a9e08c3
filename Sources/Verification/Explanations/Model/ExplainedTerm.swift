// SPDX-License-Identifier: Apache-2.0

public import Tensors

/// A tensor of a model.
public struct ExplainedTensor: Sendable {
  /// The index of the subgraph.
  public let subgraph: Int
  /// The index of the tensor in the subgraph.
  public let index: Int
  /// The tensor's name.
  public let name: String
  /// Element type, shape and quantisation in the run.
  public let type: TensorType
}

/// An element of a tensor.
public struct ExplainedElement: Sendable {
  /// The index along each axis.
  public let index: [Int]
  /// The index in row-major order.
  public let flatIndex: Int
  /// The value as stored.
  public let stored: StoredValue
  /// The real number that the value stands for; nil for complex numbers and strings.
  public let real: Double?
}

/// One of the numbers that a value is made of: a product of elements, or an element.
public struct ExplainedTerm: Sendable {
  /// The elements.
  public let factors: [Factor]
  /// What they come to; nil where the steps say so.
  public let value: StoredValue?

  /// An element of one of the node's inputs.
  public struct Factor: Sendable {
    /// The position of the input.
    public let input: Int
    /// The element.
    public let element: ExplainedElement
    /// The code that a float was quantised to, in kernels that do so.
    public let code: Int?
  }
}

/// One step from the terms to the stored value.
public struct ExplainedStep: Sendable {
  /// What the step is: `accumulator`, `bias`, `high product`.
  public let name: String
  /// The step with its numbers.
  public let text: String
  /// What it comes to.
  public let value: StoredValue
  /// The fixed-point factor, in the step that tells it.
  public let multiplier: FixedPointMultiplier?
}
