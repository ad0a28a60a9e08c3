// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A tensor's type together with its values.
package struct TensorValue {
  /// Element type, shape and quantization.
  package let type: TensorType
  /// The values.
  package let bytes: TensorBytes

  /// A value of this type.
  package init(_ type: TensorType, _ bytes: TensorBytes) {
    self.type = type
    self.bytes = bytes
  }

  /// The same values in memory of their own.
  package func copied() -> TensorValue {
    TensorValue(type, TensorBytes(copying: bytes.span(as: UInt8.self)))
  }

  /// A scalar.
  package init<Element: TensorElement>(scalar: Element) {
    self.init(TensorType(Element.elementType, .scalar), TensorBytes(copying: [scalar]))
  }
}

/// An operator that does more than compute outputs from inputs: it runs subgraphs, or reads and
/// writes what lasts from one invocation to the next.
///
/// Every time its turn comes, `run` gets the inputs and returns the outputs, whatever their shapes.
package protocol SessionOperator: Operator {
  /// The subgraphs that it may run, none unless it says so.
  var calledSubgraphs: [Int] { get }
  /// Whether it gives the same outputs in every run of a session; false unless it says so.
  var isLasting: Bool { get }

  /// Does what the operator does.
  ///
  /// - Parameters:
  ///   - node: the inputs and declared outputs.
  ///   - session: what lasts, and the subgraphs that may be run.
  /// - Returns: the outputs in order.
  /// - Throws: `KernelError` where TFLite would refuse the node or its inputs.
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue]

  /// What later runs on tensors of the same types, with the same handle, come to, asked for after
  /// one; nil unless it says so.
  func shortcut(_ node: SessionNode, in session: any OperatorSession) -> SessionShortcut?
}

/// What running an operator of a session again comes to.
package enum SessionShortcut {
  /// Nothing: all is done.
  case nothing
  /// The bytes of a variable are those of the output, as long as its version stays.
  case read(Variable)
  /// The bytes of the second input become those of a variable, as long as its version stays.
  case assign(Variable)
}

extension SessionOperator {
  package func shortcut(
    _ node: SessionNode, in session: any OperatorSession
  ) -> SessionShortcut? { nil }

  package var calledSubgraphs: [Int] { [] }

  package var isLasting: Bool { false }

  /// Refuses: the engine runs such operators through `run(_:in:)`.
  package func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    throw .unsupported("runs as part of a model only")
  }
}

/// What surrounds an operator while it runs.
package protocol OperatorSession: AnyObject {
  /// Runs a subgraph.
  ///
  /// - Parameters:
  ///   - subgraph: its index.
  ///   - arguments: the values of its inputs.
  /// - Returns: the values of its outputs, which stay as they are until it runs again.
  /// - Throws: `KernelError` where there is no such subgraph, the arguments do not fit, or it
  ///   fails.
  func call(_ subgraph: Int, _ arguments: [TensorValue]) throws(KernelError) -> [TensorValue]

  /// Runs rounds of a loop with values that stay where the subgraphs have them, as calls in turn would.
  ///
  /// - Parameters:
  ///   - condition: the subgraph whose only output says whether there is another round.
  ///   - body: the subgraph that gives as many outputs as it takes inputs.
  ///   - values: what the condition and the body get first.
  /// - Returns: how far the loop has gone; nil where nothing has been run, as the session is not
  ///   prepared for such values.
  /// - Throws: `KernelError` where a call would.
  func runLoop(
    _ condition: Int, _ body: Int, from values: (condition: [TensorValue], body: [TensorValue])
  ) throws(KernelError) -> LoopOutcome?

  /// How many outputs a subgraph has; nil where there is none of this index.
  func outputCount(ofSubgraph index: Int) -> Int?

  /// For each output of a subgraph that exists, the position of the input that it is, if it is one.
  func inputsPassedOn(bySubgraph index: Int) -> [Int?]

  /// A result that stays as it is when its subgraph runs again: a copy, unless it is part of the
  /// model.
  func lasting(_ value: TensorValue) -> TensorValue

  /// Variables, tables and lists.
  var resources: Resources { get }

  /// Counts work, in the units of the limit of an invocation's work.
  ///
  /// - Throws: `KernelError` where less is left.
  func work(_ count: Int) throws(KernelError)

  /// Takes memory for what lasts.
  ///
  /// - Throws: `KernelError` where there is less.
  func hold(_ byteCount: Int) throws(KernelError)

  /// Gives back memory that was held.
  func release(_ byteCount: Int)
}

/// How far a session has gone with a loop.
package enum LoopOutcome {
  /// To the end, with this state.
  case ended([TensorValue])
  /// Through a round of the body, which gave these results and moved its tensors.
  case left([TensorValue])
}

/// The inputs and outputs of a node that runs in a session.
package struct SessionNode {
  /// The inputs in order; nil where an optional one is absent.
  package let inputs: [TensorValue?]
  /// The types that the model declares for the outputs.
  package let declaredOutputs: [TensorType]

  /// A node with these tensors.
  package init(inputs: [TensorValue?], declaredOutputs: [TensorType]) {
    self.inputs = inputs
    self.declaredOutputs = declaredOutputs
  }

  /// All inputs from a position on.
  ///
  /// - Throws: `KernelError` where one is absent.
  package func arguments(from position: Int = 0) throws(KernelError) -> [TensorValue] {
    var arguments: [TensorValue] = []
    for position in inputs.indices.dropFirst(position) { arguments.append(try input(position)) }
    return arguments
  }

  /// A required input.
  ///
  /// - Throws: `KernelError` where it is absent.
  package func input(_ position: Int) throws(KernelError) -> TensorValue {
    guard position < inputs.count, let value = inputs[position] else {
      throw .invalid("required input is missing", .input(position))
    }
    return value
  }

  /// The only element of an input.
  ///
  /// - Throws: `KernelError` where the input is absent, of another type, or has more elements.
  package func scalar<Element: TensorElement>(
    _ position: Int, as type: Element.Type = Element.self
  ) throws(KernelError) -> Element {
    try input(position).scalar(as: type, .input(position))
  }

  /// Checks how many inputs and outputs the node has.
  ///
  /// - Throws: `KernelError` for other counts.
  package func expect(inputs count: Int, outputs outputCount: Int) throws(KernelError) {
    guard inputs.count == count else {
      throw .invalid("\(inputs.count) inputs, wanted \(count)")
    }
    guard declaredOutputs.count == outputCount else {
      throw .invalid("\(declaredOutputs.count) outputs, wanted \(outputCount)")
    }
  }
}

extension TensorValue {
  /// The only element.
  ///
  /// - Throws: `KernelError` about `tensor` where the type is another or there are more elements.
  package func scalar<Element: TensorElement>(
    as element: Element.Type = Element.self, _ tensor: KernelError.Tensor
  ) throws(KernelError) -> Element {
    guard type.elementType == Element.elementType else {
      throw .elementType(type.elementType, tensor)
    }
    guard type.shape.elementCount == 1, bytes.byteCount >= MemoryLayout<Element>.size else {
      throw .invalid("shape \(type.shape), wanted one element", tensor)
    }
    return bytes.span(as: Element.self)[0]
  }
}
