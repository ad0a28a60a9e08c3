// SPDX-License-Identifier: Apache-2.0

public import Martlet
internal import ModelFormat
internal import ReferenceKernels
public import Tensors

/// Runs a model once and explains elements of its tensors: what they were computed from, and how.
///
/// ```swift
/// let explainer = try Explainer(model)
/// try explainer.interpreter.setInput(0, pixels)
/// try explainer.run()
/// let explanation = try explainer.explanation(ofTensor: 12, at: [0, 3, 3, 7])
/// ```
///
/// The reference kernels compute, whatever the options say: their loops are run again on numbers
/// of elements to tell what they read, so that the explanation shows the kernel and not a copy.
public final class Explainer {
  /// What runs the model; the inputs are given to it before `run()`.
  public let interpreter: Interpreter

  private let signature: String?
  private let log: VariableLog
  /// How often subgraphs were called.
  let calls: CallLog
  /// The inputs as they were given; nil for those that the model itself gives values.
  private var givenInputs: [[UInt8]?] = []
  /// Another interpreter that has run on the same inputs, once it was needed.
  private var second: Interpreter?

  /// An explainer of `model`, or of one of its signatures.
  ///
  /// - Throws: `InferenceError` where the model has no such signature.
  public init(
    _ model: Model, signature: String? = nil, options: Interpreter.Options = .init()
  ) throws(InferenceError) {
    var options = options
    options.kernels = .reference
    options.keepsAllTensors = true
    self.signature = signature
    interpreter = try Interpreter(model, signature: signature, options: options)
    log = VariableLog(interpreter)
    calls = CallLog(model.file)
    interpreter.observers = [log, calls]
  }

  /// Runs the model on the inputs, keeping all tensors; explanations are about this run.
  ///
  /// - Throws: `InferenceError` as `Interpreter.invoke()` does.
  public func run() throws(InferenceError) {
    try interpreter.prepare()
    givenInputs = interpreter.inputs.map { input in
      switch interpreter.table?.sources[input.index] {
      case .input, .variable: interpreter.tensor(input.index)?.bytes
      case .constant, .node, .undefined, nil: nil
      }
    }
    second = nil
    log.begin()
    calls.begin()
    try interpreter.invoke()
  }

  /// An interpreter of its own that has run the model on the same inputs.
  ///
  /// - Throws: `InferenceError` as `run()` does.
  func secondRun() throws(InferenceError) -> Interpreter {
    if let second { return second }
    let second = try Interpreter(
      interpreter.model, signature: signature, options: interpreter.options)
    for (position, info) in interpreter.inputs.enumerated() {
      if let shape = info.type?.shape { try second.resizeInput(position, to: shape) }
    }
    try second.prepare()
    for (position, bytes) in givenInputs.enumerated() {
      if let bytes { try second.setInput(position, bytes: bytes) }
    }
    try second.invoke()
    self.second = second
    return second
  }

  /// The index of the tensor that `text` names or numbers.
  ///
  /// - Parameters:
  ///   - text: the tensor's name, or else its index.
  ///   - subgraph: the index of the subgraph; nil for the one that the interpreter runs.
  /// - Returns: the index.
  /// - Throws: `ExplanationError.noSuchTensor`.
  public func tensor(
    called text: String, inSubgraph subgraph: Int? = nil
  ) throws(ExplanationError) -> Int {
    let index = subgraph ?? interpreter.subgraphIndex
    let graph = try declared(index)
    guard let tensor = graph.tensorIndex(called: text) else {
      throw .noSuchTensor(
        "no tensor '\(text)' in subgraph \(index), which has \(graph.tensors.count)")
    }
    return tensor
  }

  /// The shape of a tensor in the run.
  ///
  /// - Throws: `ExplanationError` where there is no such tensor, or it has no value.
  public func shape(
    ofTensor tensor: Int, inSubgraph subgraph: Int? = nil
  ) throws(ExplanationError) -> Shape {
    try evaluated(tensor, inSubgraph: subgraph ?? interpreter.subgraphIndex).tensor.type.shape
  }

  /// Explains an element of a tensor as the run left it; in loops, the last evaluation counts.
  ///
  /// - Parameters:
  ///   - tensor: the index of the tensor.
  ///   - subgraph: the index of its subgraph; nil for the one that the interpreter runs.
  ///   - index: the element's index along each axis.
  ///   - recomputes: whether the value is computed once more and compared with the stored one.
  /// - Returns: where the element comes from.
  /// - Throws: `ExplanationError` where there is no such element, or it has no value.
  public func explanation(
    ofTensor tensor: Int, inSubgraph subgraph: Int? = nil, at index: [Int],
    recomputes: Bool = false
  ) throws(ExplanationError) -> Explanation {
    let subgraph = subgraph ?? interpreter.subgraphIndex
    let evaluated = try evaluated(tensor, inSubgraph: subgraph)
    let described = evaluated.tensor
    guard let flat = described.type.shape.flat(index) else {
      throw .noSuchElement(
        index: index.map(String.init).joined(separator: ","), tensor: described.name,
        shape: described.type.shape)
    }
    guard let element = evaluated.element(flat) else {
      throw .noValue(subgraph: subgraph, tensor: described.name)
    }
    func explanation(_ origin: Explanation.Origin, _ again: Recomputation? = nil) -> Explanation {
      Explanation(tensor: described, element: element, origin: origin, recomputation: again)
    }
    let nodes = try declared(subgraph).nodes
    guard let writer = nodes.firstIndex(where: { $0.outputs.contains(tensor) }),
      let position = nodes[writer].outputs.firstIndex(of: tensor)
    else { return explanation(origin(of: tensor, inSubgraph: subgraph)) }
    let task = ExplainedTask(
      explainer: self, node: try node(writer, inSubgraph: subgraph), subgraph: subgraph,
      output: OutputLocation(position: position, flat: flat))
    do throws(InferenceError) {
      let (node, again) = try task.explain(element.stored, recomputes: recomputes)
      return explanation(.node(node), again)
    } catch {
      throw .inference(error)
    }
  }

  private func origin(of tensor: Int, inSubgraph subgraph: Int) -> Explanation.Origin {
    switch interpreter.table(ofSubgraph: subgraph)?.sources[tensor] {
    case .constant: .constant
    case .variable: .variable
    case .input, .undefined, .node, nil: .input
    }
  }

  private func declared(_ subgraph: Int) throws(ExplanationError) -> ModelFile.Subgraph {
    let subgraphs = interpreter.model.file.subgraphs
    guard subgraphs.indices.contains(subgraph) else {
      throw .noSuchTensor("no subgraph \(subgraph): the model has \(subgraphs.count)")
    }
    return subgraphs[subgraph]
  }

  private func evaluated(
    _ tensor: Int, inSubgraph subgraph: Int
  ) throws(ExplanationError) -> EvaluatedTensor {
    let tensors = try declared(subgraph).tensors
    guard tensors.indices.contains(tensor) else {
      throw .noSuchTensor("no tensor \(tensor) in subgraph \(subgraph), which has \(tensors.count)")
    }
    guard let table = interpreter.table(ofSubgraph: subgraph), let type = table.types[tensor],
      let bytes = table.bytes[tensor]
    else { throw .noValue(subgraph: subgraph, tensor: tensors[tensor].name) }
    return EvaluatedTensor(
      tensor: ExplainedTensor(
        subgraph: subgraph, index: tensor, name: tensors[tensor].name, type: type),
      bytes: bytes, isConstant: table.sources[tensor] == .constant)
  }

  /// A node with what it read, its variables as they were before it was evaluated.
  private func node(
    _ index: Int, inSubgraph subgraph: Int
  ) throws(ExplanationError) -> EvaluatedNode {
    let node = try declared(subgraph).nodes[index]
    let variables = log.variables(readBy: index, ofSubgraph: subgraph)
    var inputs: [EvaluatedTensor?] = []
    for tensor in node.inputs {
      guard tensor >= 0 else {
        inputs.append(nil)
        continue
      }
      // Handles of resources have no values.
      guard let now = try? evaluated(tensor, inSubgraph: subgraph) else {
        inputs.append(nil)
        continue
      }
      inputs.append(
        EvaluatedTensor(
          tensor: now.tensor, bytes: variables[tensor] ?? now.bytes, isConstant: now.isConstant))
    }
    var outputs: [EvaluatedTensor] = []
    for tensor in node.outputs { outputs.append(try evaluated(tensor, inSubgraph: subgraph)) }
    return EvaluatedNode(
      index: index, node: node, inputs: inputs, outputs: outputs,
      rounding: interpreter.options.rounding)
  }
}
