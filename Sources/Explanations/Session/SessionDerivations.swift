// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import ReferenceKernels
import Tensors

/// Derivations of operators that run as part of a session: those that call other subgraphs, or keep
/// variables and tables.
struct SessionDerivations {
  let explainer: Explainer
  let node: EvaluatedNode
  let subgraph: Int
  let output: OutputLocation

  /// Where the element came from; nil for operators that are not known.
  func derivation() -> NodeDerivation? {
    switch node.node.identity.code {
    case .if: branchDerivation()
    case .stablehloCase: caseDerivation()
    case .stablehloComposite: compositeDerivation()
    case .while: whileDerivation()
    case .readVariable: variableDerivation()
    case .hashtableFind: entryDerivation()
    case .hashtableSize: sizeDerivation()
    case .custom: listDerivation()
    default: nil
    }
  }

  private func options<Options: OptionsTable>(_ type: Options.Type) -> Options? {
    try? node.node.options(as: type)
  }

  private func branchDerivation() -> NodeDerivation? {
    guard let options = options(IfOptions.self), let condition = node.term(0, 0) else {
      return nil
    }
    let isTrue = condition.factors[0].element.stored.number != 0
    var steps = StepList()
    steps.add(
      "condition", isTrue ? "true: the first branch" : "false: the second branch",
      condition.factors[0].element.stored)
    let branch = isTrue ? options.thenSubgraph : options.elseSubgraph
    return result(of: Int(branch), output.position, [condition], steps)
  }

  private func caseDerivation() -> NodeDerivation? {
    guard let options = options(StablehloCaseOptions.self), let index = node.term(0, 0),
      case .integer(let number) = index.factors[0].element.stored,
      let last = options.branches.last
    else { return nil }
    let isInside = options.branches.indices.contains(number)
    var steps = StepList()
    steps.add(
      "branch", isInside ? "its number" : "\(number) is none: the last branch",
      integer: isInside ? number : options.branches.count - 1)
    let branch = isInside ? options.branches[number] : last
    return result(of: Int(branch), output.position, [index], steps)
  }

  private func compositeDerivation() -> NodeDerivation? {
    guard let options = options(StableHLOCompositeOptions.self) else { return nil }
    return result(of: Int(options.decomposition), output.position, [], StepList())
  }

  private func whileDerivation() -> NodeDerivation? {
    let subgraphs = explainer.interpreter.model.file.subgraphs
    guard let options = options(WhileOptions.self),
      let rounds = explainer.calls.rounds(ofNode: node.index, inSubgraph: subgraph),
      subgraphs.indices.contains(Int(options.body))
    else { return nil }
    var steps = StepList()
    steps.add(
      "rounds", "until output 0 of the condition, subgraph \(options.condition), was false",
      integer: rounds)
    guard rounds > 0 else {
      guard let term = node.term(output.position, output.flat) else { return nil }
      steps.add("moved", "the element of the input as it is", term.factors[0].element.stored)
      return NodeDerivation([term], steps)
    }
    let body = subgraphs[Int(options.body)]
    var position = output.position
    // An input that the body passes on as a later output is overwritten before it is copied.
    if !changesShape(body, Int(options.body)) {
      while let source = body.inputs.firstIndex(of: body.outputs[position]), source < position {
        position = source
      }
    }
    return result(of: Int(options.body), position, [], steps)
  }

  /// Whether the shape of any of a body's results is another than that of its input.
  private func changesShape(_ body: ModelFile.Subgraph, _ index: Int) -> Bool {
    let types = explainer.interpreter.table(ofSubgraph: index)?.types
    return zip(body.inputs, body.outputs).contains {
      types?[$0]?.shape != types?[$1]?.shape
    }
  }

  /// The element as an output of the subgraph that was called.
  private func result(
    of called: Int, _ position: Int, _ terms: [ExplainedTerm], _ steps: StepList
  ) -> NodeDerivation? {
    let subgraphs = explainer.interpreter.model.file.subgraphs
    guard subgraphs.indices.contains(called), subgraphs[called].outputs.indices.contains(position)
    else { return nil }
    let tensor = subgraphs[called].outputs[position]
    let table = explainer.interpreter.table(ofSubgraph: called)
    guard let type = table?.types[tensor], let bytes = table?.bytes[tensor] else { return nil }
    var steps = steps
    steps.add("subgraph", "that was called", integer: called)
    steps.add(
      "tensor", "its output \(position): --subgraph \(called) --tensor \(tensor) tells more",
      integer: tensor)
    return moved(StoredValue(type.elementType, bytes, at: output.flat), terms, steps)
  }

  /// The derivation of an element that was moved from a position that still holds it.
  func moved(
    _ value: StoredValue?, _ terms: [ExplainedTerm], _ steps: StepList
  ) -> NodeDerivation? {
    let stored = node.outputs[output.position].element(output.flat)?.stored
    var derivation = NodeDerivation(terms, steps)
    guard let value, stored?.isIdentical(to: value) == true else {
      derivation.result = nil
      derivation.remark = "another value has come there since"
      return derivation
    }
    derivation.steps.add("moved", "the element as it is", value)
    derivation.result = value
    return derivation
  }
}

extension SessionDerivations {
  /// The number that input 0 is the handle of.
  private var handle: Int32? { node.value(0, 0, as: Int32.self) }

  private func variableDerivation() -> NodeDerivation? {
    guard let handle, let value = explainer.interpreter.resources[variable: handle] else {
      return nil
    }
    var steps = StepList()
    let name = variableName(node.node.inputs[0], subgraph)
    steps.add("variable", "handle of '\(name?.sharedName ?? "")'", integer: handle)
    for (index, subgraph) in explainer.interpreter.model.file.subgraphs.enumerated() {
      for (number, writer) in subgraph.nodes.enumerated()
      where writer.identity.code == .assignVariable && writer.inputs.count == 2 {
        guard variableName(writer.inputs[0], index)?.sharedName == name?.sharedName else {
          continue
        }
        steps.add(
          "assigned",
          "by node \(number) of subgraph \(index): --subgraph \(index) --tensor "
            + "\(writer.inputs[1]) tells more", integer: writer.inputs[1])
      }
    }
    return moved(
      StoredValue(value.type.elementType, value.bytes, at: output.flat), [], steps)
  }

  /// The options of the node that gives a tensor of a subgraph the handle of a variable.
  private func variableName(_ tensor: Int, _ subgraph: Int) -> VarHandleOptions? {
    let nodes = explainer.interpreter.model.file.subgraphs[subgraph].nodes
    return nodes.first { $0.identity.code == .varHandle && $0.outputs.contains(tensor) }
      .flatMap { try? $0.options(as: VarHandleOptions.self) }
  }

  private var table: LookupTable? {
    handle.flatMap { explainer.interpreter.resources.tables[$0] }
  }

  private func entryDerivation() -> NodeDerivation? {
    guard let handle, let table, let key = node.term(1, output.flat) else { return nil }
    var steps = StepList()
    steps.add("table", "its handle", integer: handle)
    guard let entry = table.entries[key.factors[0].element.stored.record] else {
      guard let fallback = node.term(2, 0) else { return nil }
      steps.add("hit", "the table does not have the key", integer: 0)
      steps.add("default", "the element as it is", fallback.factors[0].element.stored)
      return NodeDerivation([key, fallback], steps)
    }
    steps.add("hit", "the table has the key", integer: 1)
    let value: StoredValue? =
      table.valueType == .string
      ? .string(entry) : StoredValue(table.valueType, TensorBytes(copying: entry), at: 0)
    guard let value else { return nil }
    steps.add("entry", "of the key", value)
    return NodeDerivation([key], steps)
  }

  private func sizeDerivation() -> NodeDerivation? {
    guard let handle, let table else { return nil }
    var steps = StepList()
    steps.add("table", "its handle", integer: handle)
    steps.add("size", "entries of the table", integer: table.entries.count)
    return NodeDerivation([], steps)
  }
}

extension StoredValue {
  /// A key of a table as bytes.
  fileprivate var record: [UInt8] {
    switch self {
    case .string(let bytes): bytes
    case .integer(let value): (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    case .unsigned, .float, .double, .complex: []
    }
  }
}
