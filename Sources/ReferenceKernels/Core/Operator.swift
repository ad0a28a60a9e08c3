// SPDX-License-Identifier: Apache-2.0

public import Tensors

/// What a node computes: an operator's kind together with its options.
///
/// Built-in operators are values of this protocol made by `OperatorCatalog`; custom operators
/// conform in the user's code and are registered by name.
public protocol Operator: Sendable {
  /// Checks a node's tensors, infers the outputs and fixes every constant of the computation.
  ///
  /// The engine calls this when the input types are known. Where the answer depends on the
  /// *values* of an input (a shape, axes, paddings), ask for them with `integers(_:)` or
  /// `values(_:as:)`: if they are not known yet, these throw `KernelError.valueNeeded`, and the
  /// engine prepares the node again when they have been computed. So an operator whose output
  /// shape depends on data is written like any other.
  ///
  /// - Parameter node: the input types, declared output types and known input values.
  /// - Returns: the output types and the kernel that computes them.
  /// - Throws: `KernelError` where TFLite would refuse the node.
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared
}

/// A prepared computation: an operator bound to tensor types and constants.
public protocol Kernel: AnyObject, Sendable {
  /// What the kernel has in common with others, for which there are optimized kernels; nil of a
  /// kernel of its own kind.
  var family: LoopFamily? { get }

  /// What tells the kernel from others of its family.
  var identity: KernelIdentity { get }

  /// Computes the outputs in `frame` from its inputs.
  ///
  /// - Throws: `KernelError` only for what depends on the data, such as an index out of range.
  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError)
}

extension Kernel {
  /// Nil: the kernel is of its own kind.
  public var family: LoopFamily? { nil }

  /// The kernel's type.
  public var identity: KernelIdentity { KernelIdentity(type(of: self)) }
}

/// What `Operator.prepare` found.
public struct Prepared {
  /// The types of the node's outputs, as computed (shapes may differ from the declared ones).
  public let outputs: [TensorType]
  /// The computation.
  public var kernel: any Kernel
  /// Bytes of each scratch tensor that the kernel needs while it runs.
  public var scratch: [Int]
  /// The input whose bytes the only output repeats unchanged, so that both may share memory.
  public let repeatedInput: Int?
  /// Of each output, the part of an input whose bytes it repeats, so that it may lie there; none
  /// where some output repeats none.
  package var repeatedParts: [RepeatedPart] = []
  /// Bytes of each output whose element type has no fixed size, by output; else empty.
  public var outputByteCounts: [Int] = []
  /// Numbers that are computed one by one, where they follow from values, or options that only
  /// the operator reads; nil where the operator's record tells them.
  package var operationCount: Int?
  /// Bytes that the kernel keeps from one run to the next, beside the model's variables; or tables
  /// that it has computed, where a small node may ask for large ones.
  package var heldByteCount = 0
  /// Whether the outputs follow from the input *types* alone, as `SHAPE` does.
  public let dependsOnTypesOnly: Bool
  /// Whether equal inputs always give equal outputs and nothing else happens, so that a node
  /// whose inputs are constants may be computed once.
  public var isPure = true

  /// A kernel and the types of its outputs.
  public init(
    outputs: [TensorType], kernel: any Kernel, scratch: [Int] = [], repeatedInput: Int? = nil,
    dependsOnTypesOnly: Bool = false
  ) {
    self.outputs = outputs
    self.kernel = kernel
    self.scratch = scratch
    self.repeatedInput = repeatedInput
    if let repeatedInput { repeatedParts = [RepeatedPart(input: repeatedInput, offset: 0)] }
    self.dependsOnTypesOnly = dependsOnTypesOnly
  }

  /// A kernel with one output.
  public init(_ output: TensorType, _ kernel: any Kernel, scratch: [Int] = []) {
    // Handed on to the other initializer, all parts would be copied once more.
    outputs = [output]
    self.kernel = kernel
    self.scratch = scratch
    (repeatedInput, dependsOnTypesOnly) = (nil, false)
  }
}

/// The part of an input whose bytes an output repeats, as long as the output is.
package struct RepeatedPart: Sendable {
  /// The position of the input.
  package let input: Int
  /// The first byte.
  package let offset: Int

  /// The part from the byte `offset` on.
  package init(input: Int, offset: Int) { (self.input, self.offset) = (input, offset) }
}
