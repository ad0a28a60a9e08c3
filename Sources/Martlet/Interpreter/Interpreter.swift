// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
package import ReferenceKernels
public import Tensors

/// Runs a model: holds the tensors of one inference at a time.
///
/// ```swift
/// let model = try Model(path: "digits_int8.tflite")
/// let interpreter = try Interpreter(model)
/// try interpreter.setInput(0, pixels)            // [Int8]
/// try interpreter.invoke()
/// let scores = try interpreter.output(0, as: Int8.self)
/// ```
///
/// An interpreter belongs to one task at a time; make one for each, on the same `Model`, to run
/// in parallel.
public final class Interpreter {
  /// The model that runs.
  public let model: Model
  /// How it runs.
  public let options: Options
  /// Who is told about every node, in this order.
  public var observers: [any InferenceObserver] {
    get { session.observers }
    set { session.observers = newValue }
  }

  /// Whether a run shall stop before its next node, and throw, as after `cancel()`.
  ///
  /// It is asked before each node, on the thread that runs; nil, as at first, is not.
  public var isCancelled: (() -> Bool)? {
    get { session.isCancelled }
    set { session.isCancelled = newValue }
  }

  package let subgraphIndex: Int
  package let inputTensors: [BoundTensor]
  package let outputTensors: [BoundTensor]
  let hasSignature: Bool
  let session: Session
  /// The subgraph that the inputs and outputs belong to.
  let root: SubgraphInstance
  /// The inputs as they were when the root's input shapes changed for the n-th time.
  var knownInputs: (shapeVersion: Int, inputs: [TensorInfo])?

  /// The plan for the current input shapes; nil until it is needed.
  package var plan: ExecutionPlan? { root.plan }
  /// Types and locations of tensors in the latest run, with those that only the run decided.
  package var table: TensorTable? { root.plan == nil ? nil : root.table }

  /// The same for the subgraph of an index; nil where nothing has planned or run it.
  package func table(ofSubgraph index: Int) -> TensorTable? {
    session.usedInstance(index).flatMap { $0.plan == nil ? nil : $0.table }
  }

  /// The variables and tables that the model's handles refer to, as the latest run left them.
  package var resources: Resources { session.resources }

  /// How a node of a subgraph that has run is computed with the values of that run; nil where the
  /// subgraph has not run, or the operator runs as part of a session only.
  ///
  /// - Throws: `InferenceError` where the node cannot be prepared.
  package func preparation(
    ofNode node: Int, inSubgraph index: Int
  ) throws(InferenceError) -> Prepared? {
    try session.usedInstance(index)?.preparation(ofNode: node)
  }

  /// The kernel that runs evaluate a node with, which may keep something from one run to the next;
  /// nil where the node is prepared anew in each run.
  package func plannedKernel(ofNode node: Int, inSubgraph index: Int) -> (any Kernel)? {
    guard case .computed(let step) = session.usedInstance(index)?.plan?.steps[node] else {
      return nil
    }
    return step.kernel
  }

  /// An interpreter of `model`.
  ///
  /// - Parameters:
  ///   - model: the model; interpreters share it.
  ///   - signature: the key of the signature whose inputs and outputs are meant; nil for those
  ///     of the main subgraph.
  ///   - options: how to compute.
  /// - Throws: `InferenceError` where the model has no such signature.
  public convenience init(
    _ model: Model, signature: String? = nil, options: Options = Options()
  ) throws(InferenceError) {
    try self.init(Session(model, options: options), signature: signature)
  }

  /// An interpreter of another signature of `other`'s model, with the same variables, tables,
  /// observers and options.
  ///
  /// What one signature assigns, the other reads: the way of models that are trained or keep a
  /// history. Both belong to the same task; signatures of one subgraph share their tensors too.
  ///
  /// - Throws: `InferenceError` where the model has no such signature.
  public convenience init(
    sharing other: Interpreter, signature: String?
  ) throws(InferenceError) {
    try self.init(other.session, signature: signature)
  }

  private init(_ session: Session, signature: String?) throws(InferenceError) {
    let model = session.model
    self.model = model
    options = session.options
    hasSignature = signature != nil
    if let signature {
      guard let entry = model.file.signatures.first(where: { $0.key == signature }) else {
        let known = model.file.signatures.map(\.key).joined(separator: ", ")
        throw .invalidRequest(
          "no signature '\(signature)'" + (known.isEmpty ? "" : "; the model has \(known)"))
      }
      subgraphIndex = entry.subgraph
      inputTensors = entry.inputs.map { BoundTensor(name: $0.name, tensor: $0.tensor) }
      outputTensors = entry.outputs.map { BoundTensor(name: $0.name, tensor: $0.tensor) }
    } else {
      subgraphIndex = 0
      let subgraph = model.file.subgraphs[0]
      inputTensors = subgraph.inputs.map {
        BoundTensor(name: subgraph.tensors[$0].name, tensor: $0)
      }
      outputTensors = subgraph.outputs.map {
        BoundTensor(name: subgraph.tensors[$0].name, tensor: $0)
      }
    }
    self.session = session
    root = session.instance(subgraphIndex)
  }

  package var subgraph: ModelFile.Subgraph { model.file.subgraphs[subgraphIndex] }

  /// Plans the run for the current input shapes, if that has not been done.
  ///
  /// `invoke()` and setting inputs do it when needed; call it to find problems early.
  ///
  /// - Throws: `InferenceError` that names the node that cannot be prepared.
  public func prepare() throws(InferenceError) { try root.prepare() }

  /// Gives an input another shape; what depends on it is planned again.
  ///
  /// - Throws: `InferenceError` where there is no such input.
  public func resizeInput(_ position: Int, to shape: Shape) throws(InferenceError) {
    root.resize(try inputInfo(position).index, to: shape)
  }

  /// Sets variable tensors back to zero.
  public func resetVariables() { session.resetVariables() }
}

/// An input or output: a tensor, and the name that the caller knows it by.
package struct BoundTensor: Sendable {
  package let name: String
  package let tensor: Int
}

extension InferenceError {
  /// The same error, seen from one step further out.
  func within(_ step: ModelError.Step) -> InferenceError {
    InferenceError(reason, path: [step] + path)
  }
}

extension RunProgress {
  /// Ends a run that shall not go on; `limit` is the time that it may take.
  ///
  /// - Throws: `InferenceError` with the reason.
  func check(_ limit: Duration?) throws(InferenceError) {
    if wasCancelled { throw InferenceError(.cancelled) }
    if let limit, isOverdue { throw InferenceError(.timeLimit(limit)) }
  }
}
