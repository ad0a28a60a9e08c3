// SPDX-License-Identifier: Apache-2.0

internal import Martlet
internal import ModelFormat
internal import Npy
internal import ReferenceKernels
internal import Tensors
internal import Traces

/// Compares a run with a recorded one while it goes on.
final class ComparingObserver: InferenceObserver {
  private(set) var comparison = RunComparison()
  /// What went wrong; nothing is compared after it.
  private(set) var failure: ComparisonError?
  private let interpreter: Interpreter
  private let recorded: RecordedTensors
  private let options: ComparisonOptions
  private let isolation: NodeIsolation?
  private var calls = SubgraphCalls()

  /// An observer of one run of `interpreter`.
  init(_ interpreter: Interpreter, _ recorded: RecordedTensors, _ options: ComparisonOptions) {
    self.interpreter = interpreter
    self.recorded = recorded
    self.options = options
    isolation =
      options.isolation == .none ? nil : NodeIsolation(interpreter, recorded)
  }

  func willRun(_ record: SubgraphRecord) {
    calls.begin(record.subgraph)
    guard failure == nil, calls.invocation(of: record.subgraph) < options.invocationLimit else {
      return
    }
    do throws(InferenceError) { try isolation?.prepare(record) } catch {
      fail(.inference(error))
    }
  }

  func didEvaluate(_ record: NodeRecord) {
    let hasCalled = calls.end(record.subgraph)
    let invocation = calls.invocation(of: record.subgraph)
    guard failure == nil, invocation < options.invocationLimit else { return }
    do throws(ComparisonError) {
      let first = comparison.tensors.count
      try compare(record, invocation)
      guard let isolation, options.isolation == .every || comparison.culprit == nil else { return }
      let rows = first..<comparison.tensors.count
      if hasCalled {
        note("its subgraphs' nodes are compared instead", rows)
      } else {
        try isolate(record, invocation, rows, isolation)
      }
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: ComparisonError) {
    failure = error
    interpreter.cancel()
  }

  /// Adds a row for each output that has an npy form; handles have none.
  private func compare(_ record: NodeRecord, _ invocation: Int) throws(ComparisonError) {
    let tensors = interpreter.model.file.subgraphs[record.subgraph].tensors
    for (tensor, type, bytes) in record.outputs {
      guard let array = try? NpyArray(type, tensorBytes: bytes.array()) else { continue }
      var row = RunComparison.Tensor(
        location: TensorLocation(subgraph: record.subgraph, invocation: invocation, tensor: tensor),
        node: record.node, operatorName: record.operatorName, kernelName: record.kernelName,
        name: tensors[tensor].name, type: type)
      if let reference = try reference(row.location) {
        row.referenceType = reference.type
        row.cumulative = TensorDifference(
          of: TypedArray(type: type, array: array), from: reference, tolerance: options.tolerance)
        if row.cumulative == nil { row.note = Self.incomparable(type, reference.type) }
      } else {
        row.note = "nothing recorded for it"
      }
      comparison.tensors.append(row)
    }
  }

  private func reference(_ location: TensorLocation) throws(ComparisonError) -> TypedArray? {
    do throws(NpzFileError) { return try recorded.value(at: location) } catch { throw .file(error) }
  }

  private static func incomparable(_ type: TensorType, _ reference: TensorType) -> String {
    type.shape == reference.shape
      ? "\(reference.elementType.schemaName) recorded" : "shape \(reference.shape) recorded"
  }

  /// Computes the node on the recorded inputs and compares that, too.
  private func isolate(
    _ record: NodeRecord, _ invocation: Int, _ rows: Range<Int>, _ isolation: NodeIsolation
  ) throws(ComparisonError) {
    // Nodes without such rows are computed too, for what they leave behind: variables, tables.
    let node = NodeLocation(subgraph: record.subgraph, invocation: invocation, node: record.node)
    let inputs: [TensorValue?]
    switch try isolation.inputs(of: node) {
    case .known(let values): inputs = values
    case .missing(let reason): return note(reason, rows)
    }
    let outputs: [Int: TypedArray]
    do throws(InferenceError) { outputs = try isolation.outputs(of: node, inputs) } catch {
      return note("not computed alone: \(error)", rows)
    }
    for row in rows {
      let location = comparison.tensors[row].location
      guard let output = outputs[location.tensor], let reference = try reference(location) else {
        continue
      }
      comparison.tensors[row].isolated = TensorDifference(
        of: output, from: reference, tolerance: options.tolerance)
    }
    guard comparison.culprit == nil,
      let tensor = rows.first(where: { comparison.tensors[$0].isolated?.isExcessive == true })
    else { return }
    comparison.culprit = RunComparison.Culprit(
      tensor: tensor, isConfirmed: isolation.confirms(outputs, of: node, inputs))
  }

  private func note(_ text: String, _ rows: Range<Int>) {
    for row in rows where comparison.tensors[row].note == nil {
      comparison.tensors[row].note = text
    }
  }
}

/// Which subgraphs run, and how often each has: what a run's events say about it.
struct SubgraphCalls {
  private var counts: [Int: Int] = [:]
  /// The subgraphs that have begun and whose end has not shown yet, outermost first.
  private var open: [Int] = []

  /// A subgraph begins.
  mutating func begin(_ subgraph: Int) {
    // None calls itself: if it has begun before, that call is over.
    if let earlier = open.firstIndex(of: subgraph) { open.removeSubrange(earlier...) }
    open.append(subgraph)
    counts[subgraph, default: 0] += 1
  }

  /// A node of a subgraph has been computed; whether it ran other subgraphs.
  mutating func end(_ subgraph: Int) -> Bool {
    guard let location = open.lastIndex(of: subgraph), location + 1 < open.count else {
      return false
    }
    open.removeSubrange((location + 1)...)
    return true
  }

  /// How often the subgraph that runs had run before.
  func invocation(of subgraph: Int) -> Int { (counts[subgraph] ?? 1) - 1 }
}
