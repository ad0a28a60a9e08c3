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
  /// Element type, shape and quantization in the run.
  public let type: TensorType

  /// A tensor of this type.
  package init(subgraph: Int, index: Int, name: String, type: TensorType) {
    self.subgraph = subgraph
    self.index = index
    self.name = name
    self.type = type
  }
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
  /// The sum that the term belongs to, where a value has several: `forget gate, state`.
  public let part: String?
  /// The elements.
  public let factors: [Factor]
  /// What they come to; nil where the steps say so.
  public let value: StoredValue?

  /// A term of the sum `part`.
  init(factors: [Factor], value: StoredValue?, part: String? = nil) {
    self.part = part
    self.factors = factors
    self.value = value
  }

  /// A number that is read: an element of one of the node's inputs, or one that the node itself
  /// computed before.
  public struct Factor: Sendable {
    /// Where the number stands.
    public let source: Source
    /// The element; of numbers that no tensor holds, the index is the number's among its like.
    public let element: ExplainedElement
    /// The quantized value that counts where it is not the stored value: the one that a float was
    /// quantized to, or a byte read as signed, in kernels that do so.
    public let quantized: Int?

    /// The position of the input; nil for numbers that the node computed.
    public var input: Int? {
      if case .input(let position) = source { position } else { nil }
    }

    /// Where numbers stand.
    public enum Source: Sendable, Hashable {
      /// In the input at this position.
      case input(Int)
      /// In the output at this position, written at an earlier step of a sequence.
      case output(Int)
      /// In no tensor: a result on the way, of this name.
      case computed(String)
    }
  }
}

/// One step from the terms to the stored value.
public struct ExplainedStep: Sendable {
  /// What the step belongs to, where there is more than one sum: `forget gate, state`.
  public let part: String?
  /// What the step is: `accumulator`, `bias`, `high product`.
  public let name: String
  /// The step with its numbers.
  public let text: String
  /// What it comes to.
  public let value: StoredValue
  /// The fixed-point factor, in the step that tells it.
  public let multiplier: FixedPointMultiplier?
}
