// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
package import ReferenceKernels
package import Tensors

/// A node together with the values that it read and wrote when it was last evaluated.
package struct EvaluatedNode {
  package let index: Int
  package let node: ModelFile.Node
  /// What it read; nil where an optional input is absent.
  package let inputs: [EvaluatedTensor?]
  /// What it wrote.
  package let outputs: [EvaluatedTensor]
  let rounding: Rounding

  /// The node at an index of its subgraph, with these values.
  package init(
    index: Int, node: ModelFile.Node, inputs: [EvaluatedTensor?], outputs: [EvaluatedTensor],
    rounding: Rounding
  ) {
    self.index = index
    self.node = node
    self.inputs = inputs
    self.outputs = outputs
    self.rounding = rounding
  }

  /// The input at a position; nil where it is absent.
  func input(_ position: Int) -> EvaluatedTensor? {
    inputs.indices.contains(position) ? inputs[position] : nil
  }

  /// One element of an input, as the kernel's element type; nil where there is none.
  package func value<Element: TensorElement>(
    _ position: Int, _ flat: Int, as type: Element.Type = Element.self
  ) -> Element? {
    input(position)?.bytes.element(flat, as: type)
  }

  /// The term of one element.
  package func term(_ position: Int, _ flat: Int, value: StoredValue? = nil) -> ExplainedTerm? {
    factor(position, flat).map { ExplainedTerm(factors: [$0], value: value) }
  }

  /// An element of an input.
  func factor(_ position: Int, _ flat: Int, quantized: Int? = nil) -> ExplainedTerm.Factor? {
    input(position)?.element(flat).map {
      ExplainedTerm.Factor(source: .input(position), element: $0, quantized: quantized)
    }
  }
}

/// A tensor with its values.
package struct EvaluatedTensor {
  package let tensor: ExplainedTensor
  package let bytes: TensorBytes
  package let isConstant: Bool

  /// A tensor with these values.
  package init(tensor: ExplainedTensor, bytes: TensorBytes, isConstant: Bool) {
    self.tensor = tensor
    self.bytes = bytes
    self.isConstant = isConstant
  }

  /// The element at a flat index; nil where there is none.
  package func element(_ flat: Int) -> ExplainedElement? {
    guard 0..<tensor.type.shape.elementCount ~= flat,
      let stored = StoredValue(tensor.type.elementType, bytes, at: flat)
    else { return nil }
    let index = tensor.type.shape.index(ofFlat: flat)
    return ExplainedElement(
      index: index, flatIndex: flat, stored: stored, real: tensor.type.real(stored, at: index))
  }
}

extension EvaluatedTensor {
  /// A tensor with these values that belongs to no model.
  package init(index: Int, _ type: TensorType, _ bytes: [UInt8], isConstant: Bool) {
    self.init(
      tensor: ExplainedTensor(subgraph: 0, index: index, name: "", type: type),
      bytes: TensorBytes(copying: bytes), isConstant: isConstant)
  }
}

/// The element that is explained: one of a node's outputs, and the position in it.
package struct OutputLocation {
  package let position: Int
  package let flat: Int

  /// The element at a flat index of the output at a position.
  package init(position: Int, flat: Int) {
    self.position = position
    self.flat = flat
  }
}

/// An element of one of a node's inputs.
package struct ElementOrigin: Sendable {
  /// The position of the input.
  package let input: Int
  /// The element's flat index.
  package let flat: Int
}

/// What is told about an element.
package struct NodeDerivation {
  /// The elements that were read.
  package var terms: [ExplainedTerm]
  /// The bias that is added to the sum of the terms.
  package var bias: ExplainedTerm.Factor?
  /// What became of them.
  package var steps: StepList
  /// The value that the steps come to; nil where they come to none.
  package var result: StoredValue?
  /// What is left out.
  package var remark: String?
}

/// A kernel that can tell how it computes one element.
package protocol ExplainableKernel: Kernel {
  /// How the kernel computed `output` of `node`; nil where it cannot tell.
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
}

/// A loop that can tell how it computes one element.
package protocol ExplainableLoop: KernelLoop {
  /// How the loop computed `output` of `node`; nil where it cannot tell.
  func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
}

extension LoopKernel: ExplainableKernel where Loop: ExplainableLoop {
  package func derivation(of output: OutputLocation, in node: EvaluatedNode) throws(KernelError)
    -> NodeDerivation?
  {
    try loop.derivation(of: output, in: node)
  }
}

extension TensorBytes {
  /// The numbers from 0 to `count` − 1, each instead of the element of this flat index.
  ///
  /// A loop that runs on such tensors tells which elements it reads.
  static func indices(count: Int) -> TensorBytes {
    let bytes = TensorBytes(zeroed: count * MemoryLayout<UInt32>.stride)
    var elements = bytes.mutableSpan(as: UInt32.self)
    for index in elements.indices { elements[index] = UInt32(truncatingIfNeeded: index) }
    return bytes
  }
}
