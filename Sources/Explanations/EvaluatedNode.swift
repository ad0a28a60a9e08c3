// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

/// A node together with the values that it read and wrote when it was last evaluated.
struct EvaluatedNode {
  let index: Int
  let node: ModelFile.Node
  /// What it read; nil where an optional input is absent.
  let inputs: [EvaluatedTensor?]
  /// What it wrote.
  let outputs: [EvaluatedTensor]
  let rounding: Rounding

  /// The input at a position; nil where it is absent.
  func input(_ position: Int) -> EvaluatedTensor? {
    inputs.indices.contains(position) ? inputs[position] : nil
  }

  /// One element of an input, as the kernel's element type; nil where there is none.
  func value<Element: TensorElement>(
    _ position: Int, _ flat: Int, as type: Element.Type = Element.self
  ) -> Element? {
    input(position)?.bytes.element(flat, as: type)
  }

  /// The term of one element.
  func term(_ position: Int, _ flat: Int, value: StoredValue? = nil) -> ExplainedTerm? {
    factor(position, flat).map { ExplainedTerm(factors: [$0], value: value) }
  }

  /// An element of an input.
  func factor(_ position: Int, _ flat: Int, code: Int? = nil) -> ExplainedTerm.Factor? {
    input(position)?.element(flat).map {
      ExplainedTerm.Factor(source: .input(position), element: $0, code: code)
    }
  }
}

/// A tensor with its values.
struct EvaluatedTensor {
  let tensor: ExplainedTensor
  let bytes: TensorBytes
  let isConstant: Bool

  /// The element at a flat index; nil where there is none.
  func element(_ flat: Int) -> ExplainedElement? {
    guard 0..<tensor.type.shape.elementCount ~= flat,
      let stored = StoredValue(tensor.type.elementType, bytes, at: flat)
    else { return nil }
    let index = tensor.type.shape.index(ofFlat: flat)
    return ExplainedElement(
      index: index, flatIndex: flat, stored: stored, real: tensor.type.real(stored, at: index))
  }
}

/// The element that is explained: one of a node's outputs, and the place in it.
struct OutputPlace {
  let position: Int
  let flat: Int
}

/// An element of one of a node's inputs.
struct ElementOrigin: Sendable {
  /// The position of the input.
  let input: Int
  /// The element's flat index.
  let flat: Int
}

/// What is told about an element.
struct NodeAccount {
  /// The elements that were read.
  var terms: [ExplainedTerm]
  /// The bias that is added to the sum of the terms.
  var bias: ExplainedTerm.Factor?
  /// What became of them.
  var steps: StepList
  /// The value that the steps come to; nil where they come to none.
  var result: StoredValue?
  /// What is left out.
  var remark: String?
}

/// A kernel that can tell how it computes one element.
protocol ExplainableKernel: Kernel {
  /// How the kernel computed `output` of `node`; nil where it cannot tell.
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount?
}

/// A loop that can tell how it computes one element.
protocol ExplainableLoop: KernelLoop {
  /// How the loop computed `output` of `node`; nil where it cannot tell.
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount?
}

extension LoopKernel: ExplainableKernel where Loop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    try loop.account(of: output, in: node)
  }
}

extension TensorBytes {
  /// The numbers from 0 to `count` − 1, each in the place of the element of this flat index.
  ///
  /// A loop that runs on such tensors tells which elements it reads.
  static func indices(count: Int) -> TensorBytes {
    let bytes = TensorBytes(zeroed: count * MemoryLayout<UInt32>.stride)
    var elements = bytes.mutableSpan(as: UInt32.self)
    for index in elements.indices { elements[index] = UInt32(truncatingIfNeeded: index) }
    return bytes
  }
}
