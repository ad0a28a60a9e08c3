// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

/// A subgraph of an interpreter: its plan for the current input shapes, its tensors and variables.
///
/// What every run looks at is not checked for exclusive access, here, in sessions and in deferred
/// nodes: one thread at a time runs an interpreter, and small models would feel the checks.
final class SubgraphInstance {
  let index: Int
  let subgraph: ModelFile.Subgraph
  unowned let session: Session
  /// The workers of the session.
  var team: WorkerTeam

  private(set) var inputShapes: [Int: Shape] = [:]
  /// How often an input got another shape.
  private(set) var shapeVersion = 0
  private var variables: [Int: TensorBytes] = [:]
  /// Of each input, the part of the model that every call has given it, which is a constant of the
  /// plan; none before the first call.
  private(set) var fixedInputs: [TensorBytes?] = []
  private(set) var wasCalled = false
  /// The plan for the current input shapes; nil until it is needed.
  @safe @exclusivity(unchecked)
  private(set) var plan: ExecutionPlan?
  /// Types and memory of tensors: as planned, and then as the latest run left them, with what only
  /// the run decided.
  var table = TensorTable()
  /// Bytes that the plan took of the session's.
  private var heldByteCount = 0
  /// Bytes that the latest run took for tensors whose sizes only it decided, by tensor.
  @safe @exclusivity(unchecked)
  private var runByteCounts: [Int: Int] = [:]
  /// Whether the outputs hold the results of a run.
  @safe @exclusivity(unchecked)
  var hasRun = false
  @safe @exclusivity(unchecked)
  var isRunning = false
  /// What nodes that wait for the run are taken to give.
  @safe @exclusivity(unchecked)
  var predictions = Predictions()
  /// Tensors of which this run found other types than planned: what reads them is prepared anew.
  @safe @exclusivity(unchecked)
  var surprises: Set<Int> = []
  /// By node, what observers were told.
  var observedNames: [Int: ObservedNames] = [:]
  /// The nodes that have waited for a run, by index, until the shape of an input changes.
  @safe @exclusivity(unchecked)
  var deferredNodes: [DeferredNode?] = []

  init(_ index: Int, in session: Session) {
    self.index = index
    self.session = session
    team = session.team
    subgraph = session.model.file.subgraphs[index]
  }

  /// What prepares the nodes.
  private(set) lazy var preparer = NodePreparer(
    subgraph: subgraph, model: session.model,
    settings: ExecutionPlan.Settings(
      kernels: session.options.kernels, rounding: session.options.rounding,
      keepsAllTensors: session.options.keepsAllTensors,
      customOperators: session.options.customOperators, limits: session.limits,
      workerCount: session.team.workerCount),
    session: session, progress: session.progress)

  /// Plans the run for the current input shapes, if that has not been done.
  func prepare() throws(InferenceError) {
    guard plan == nil else { return }
    predictions.includesDeclared = inputShapes.allSatisfy {
      subgraph.tensors[$0.key].type.shape == $0.value
    }
    predictions.settle()
    forgetRun()
    session.budget.giveBack(heldByteCount)
    heldByteCount = 0
    do throws(InferenceError) {
      do throws(InferenceError) {
        try plan(session.computesNodesAlone ? nil : predictions)
      } catch {
        // Perhaps only what was predicted cannot be.
        guard !table.predicted.isEmpty else { throw error }
        try plan(nil)
      }
    } catch {
      throw error.within(.subgraph(index))
    }
    surprises = []
    hasRun = false
  }

  private func plan(_ predictions: Predictions?) throws(InferenceError) {
    var budget = PlanBudget(session.budget)
    table = try TensorTable(
      subgraph, of: session.model, inputShapes: inputShapes, fixedInputs: fixedInputs,
      variables: &variables, limits: session.limits, budget: &budget)
    try hold(
      ExecutionPlan(
        preparer, &table, budget: budget, fusesNodes: session.fusesNodes,
        predictions: predictions))
  }

  /// Whether the latest run found other types than predicted, or types of which nothing was
  /// predicted.
  private var wasSurprised: Bool {
    !surprises.isEmpty || predictions.hasNews && !session.computesNodesAlone
  }

  /// Whether the latest run has left tensors where the plan has them, so that the next one may go by
  /// it, too.
  var isSettled: Bool { plan != nil && runByteCounts.isEmpty && !wasSurprised }

  /// Plans anew where the latest run was surprised; inputs stay as they are.
  func adaptToSurprises() throws(InferenceError) {
    guard wasSurprised else { return }
    let values = subgraph.inputs.map { table.bytes[$0] }
    plan = nil
    try prepare()
    for case (let tensor, let bytes?) in zip(subgraph.inputs, values) { put(bytes, tensor) }
  }

  /// Takes what a plan needs of the session's, and goes by it.
  private func hold(_ plan: ExecutionPlan) throws(InferenceError) {
    try session.budget.work(plan.budget.takenWorkCount)
    try session.budget.take(plan.budget.takenByteCount)
    heldByteCount = plan.budget.takenByteCount
    self.plan = plan
    for case let node? in deferredNodes { settle(node) }
  }

  /// Takes memory for a tensor whose size a run decides.
  func take(_ byteCount: Int?, for tensor: Int) throws(InferenceError) {
    session.budget.giveBack(runByteCounts.removeValue(forKey: tensor) ?? 0)
    try session.budget.take(byteCount)
    runByteCounts[tensor] = byteCount
  }

  /// Gives back what the latest run took.
  func forgetRun() {
    guard !runByteCounts.isEmpty else { return }
    for (tensor, byteCount) in runByteCounts {
      session.budget.giveBack(byteCount)
      if table.bytes.indices.contains(tensor) { table.bytes[tensor] = nil }
    }
    runByteCounts = [:]
  }

  /// Plans anew where observers came who want to see every tensor, or went; inputs stay as they
  /// are.
  func adaptToObservers() throws(InferenceError) {
    guard let old = plan, old.fusesNodes != session.fusesNodes else { return }
    let values = subgraph.inputs.map { table.bytes[$0] }
    session.budget.giveBack(heldByteCount)
    (heldByteCount, plan) = (0, nil)
    do throws(InferenceError) {
      try hold(
        old.replanned(
          preparer, &table, session: session.budget, fusesNodes: session.fusesNodes))
    } catch {
      throw error.within(.subgraph(index))
    }
    for case (let tensor, let bytes?) in zip(subgraph.inputs, values) { put(bytes, tensor) }
  }

  /// Gives an input another shape; what depends on it is planned again.
  func resize(_ tensor: Int, to shape: Shape) {
    let current = inputShapes[tensor] ?? subgraph.tensors[tensor].type.shape
    guard current != shape else { return }
    inputShapes[tensor] = shape
    shapeVersion += 1
    discardPlan()
  }

  private func discardPlan() {
    deferredNodes = []
    predictions = Predictions()
    plan = nil
    hasRun = false
  }

  /// Keeps what all calls give alike: weights are passed to the branches of `IF` and to the bodies
  /// of loops, which are planned as if they had them.
  ///
  /// An input that was once given something else is an input from then on.
  private func settleFixedInputs(_ arguments: [TensorValue]) {
    if wasCalled {
      var isSame = true
      for (position, fixed) in fixedInputs.enumerated() {
        guard let fixed, !fixed.isSame(as: arguments[position].bytes) else { continue }
        fixedInputs[position] = nil
        isSame = false
      }
      if !isSame { discardPlan() }
      return
    }
    wasCalled = true
    guard !session.computesNodesAlone, Set(subgraph.inputs).count == arguments.count else { return }
    let fixed = arguments.map { session.isPartOfModel($0.bytes) ? $0.bytes : nil }
    guard fixed.contains(where: { $0 != nil }) else { return }
    fixedInputs = fixed
    discardPlan()
  }

  /// Sets variable tensors back to zero.
  func resetVariables() {
    for (index, bytes) in variables { bytes.fillWithZero(of: subgraph.tensors[index].type) }
  }

  /// Gives the inputs the values that a caller passes.
  func setArguments(_ arguments: [TensorValue]) throws(InferenceError) {
    guard arguments.count == subgraph.inputs.count else {
      throw InferenceError(
        .invalidGraph("takes \(subgraph.inputs.count) inputs, not \(arguments.count)"),
        path: [.subgraph(index)])
    }
    // By index: descriptions of tensors take long to copy.
    for position in arguments.indices {
      let tensor = subgraph.inputs[position]
      let given = arguments[position].type.elementType
      let wanted = subgraph.tensors[tensor].type.elementType
      guard given == wanted else {
        let name = subgraph.tensors[tensor].name
        throw InferenceError(
          .invalidGraph("is given \(given.schemaName) but takes \(wanted.schemaName)"),
          path: [.subgraph(index), .input(position), .tensor(tensor, name: name)])
      }
      resize(tensor, to: arguments[position].type.shape)
    }
    settleFixedInputs(arguments)
    try prepare()
    for position in arguments.indices {
      put(arguments[position].bytes, subgraph.inputs[position])
    }
  }

  /// Copies bytes to an input's location; those of types without a fixed size get a new one.
  private func put(_ bytes: TensorBytes, _ tensor: Int) {
    guard table.sources[tensor] == .input else { return }
    if table.bytes[tensor]?.copy(from: bytes) != true {
      table.bytes[tensor] = TensorBytes(copying: bytes.span(as: UInt8.self))
    }
  }

  /// The outputs of the latest run, which stay as they are until the next.
  func results() throws(InferenceError) -> [TensorValue] {
    var results: [TensorValue] = []
    for (position, tensor) in subgraph.outputs.enumerated() {
      guard plan != nil, let type = table.types[tensor], let bytes = table.bytes[tensor] else {
        throw InferenceError(
          .invalidGraph("has no value"), path: [.subgraph(index), .output(position)])
      }
      results.append(TensorValue(type, bytes))
    }
    return results
  }
}
