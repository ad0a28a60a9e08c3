// SPDX-License-Identifier: Apache-2.0

import Formatting
package import Martlet
import ModelFormat
package import ModelSummaries
import Npy
package import RunComparisons
import Tensors
package import Traces

/// What a run of the main graph did, node by node.
package struct LayerSurvey {
  private let interpreter: Interpreter
  private let summary: ModelSummary
  private let plan: PlanSummary?
  private let graph: ModelFile.Subgraph
  private let statistics: [Int: TensorStatistics]
  private let kernelNames: [Int: String]

  /// A survey of the run that `interpreter` has made and `trace` has recorded.
  package init(_ interpreter: Interpreter, _ trace: Trace, _ summary: ModelSummary) {
    self.interpreter = interpreter
    self.summary = summary
    plan = PlanSummary(interpreter)
    graph = interpreter.model.file.subgraphs[0]
    var statistics: [Int: TensorStatistics] = [:]
    for tensor in trace.tensors
    where tensor.location.subgraph == 0 && tensor.location.invocation == 0 {
      statistics[tensor.location.tensor] = tensor.statistics
    }
    self.statistics = statistics
    var kernelNames: [Int: String] = [:]
    for node in trace.nodes where node.subgraph == 0 && node.invocation == 0 {
      kernelNames[node.node] = node.kernelName
    }
    self.kernelNames = kernelNames
  }

  /// The nodes, those computed while planning included.
  package func layers() -> [Layer] {
    guard let table = interpreter.table else { return [] }
    let tensors = GraphTensors(table)
    let states = Dictionary(
      (plan?.nodes ?? []).map { ($0.index, $0.state.rawValue) },
      uniquingKeysWith: { first, _ in first })
    return graph.nodes.enumerated().map { index, node in
      let cost = NodeCost(node, tensors)
      let (constants, activations) = node.inputs.filter { $0 >= 0 }.partitioned {
        table.sources[$0] == .constant
      }
      let outputs = node.outputs.filter { $0 >= 0 && table.sources[$0] != .constant }
      return Layer(
        index: index, operatorName: node.identity.name,
        version: Int(node.identity.version), attributes: node.attributeText,
        kernel: kernelNames[index], state: states[index] ?? "", activations: activations,
        constants: constants, multiplyAdds: cost.multiplyAdds,
        parameterByteCount: parameterByteCount(constants),
        readByteCount: cost.readByteCount, writtenByteCount: cost.writtenByteCount,
        outputs: outputs.compactMap { output($0, of: node) })
    }
  }

  private func parameterByteCount(_ constants: [Int]) -> Int {
    constants.reduce(0) { sum, tensor in
      sum + (interpreter.model.file.values(of: graph.tensors[tensor])?.count ?? 0)
    }
  }

  private func output(_ tensor: Int, of node: ModelFile.Node) -> LayerOutput? {
    guard let (type, bytes) = interpreter.tensor(tensor) else { return nil }
    let values = (try? NpyArray(type, tensorBytes: bytes)).flatMap { RealValues(type, $0) }
    return LayerOutput(
      tensor: tensor, name: graph.tensors[tensor].name, type: type,
      statistics: statistics[tensor],
      clipped: values.flatMap { ClippedShare(node.fusedActivation, type, $0) },
      constantChannels: values.flatMap { ChannelCount(constantIn: type, $0) })
  }
}

extension [Layer] {
  /// Adds how far the tensors of another run of the same model are from these.
  package mutating func compare(_ interpreter: Interpreter, with other: Interpreter) {
    for layer in indices {
      for output in self[layer].outputs.indices {
        let tensor = self[layer].outputs[output].tensor
        self[layer].outputs[output].otherKernels = TensorDifference(
          of: tensor, in: interpreter, from: other)
      }
    }
  }

  /// Adds how far the tensors are from their float shadows.
  package mutating func compare(with shadow: FloatShadow?) {
    guard let shadow else { return }
    let byTensor = Dictionary(
      shadow.tensors.map { ($0.tensor, $0) }, uniquingKeysWith: { first, _ in first })
    for layer in indices {
      for output in self[layer].outputs.indices {
        self[layer].outputs[output].shadow = byTensor[self[layer].outputs[output].tensor]
      }
    }
  }

  /// Adds the least time of each node over some runs of `interpreter`, each node computed alone.
  package mutating func time(_ interpreter: Interpreter, runs: Int = 5) throws(InferenceError) {
    var least: [Int: Duration] = [:]
    for _ in 0..<runs {
      let trace = NodeTimes()
      interpreter.observers = [trace]
      try interpreter.invoke()
      least.merge(trace.durations) { Swift.min($0, $1) }
    }
    interpreter.observers = []
    for layer in indices {
      self[layer].milliseconds = least[self[layer].index]?.milliseconds
    }
  }
}

/// How long each node of the main graph took in a run.
private final class NodeTimes: InferenceObserver {
  private(set) var durations: [Int: Duration] = [:]

  package func didEvaluate(_ record: NodeRecord) {
    if record.subgraph == 0 { durations[record.node] = record.duration }
  }
}

extension TensorDifference {
  /// How far a tensor of one run is from the same tensor of another.
  fileprivate init?(of tensor: Int, in interpreter: Interpreter, from other: Interpreter) {
    guard let own = TypedArray(tensor, in: interpreter), let same = TypedArray(tensor, in: other)
    else { return nil }
    self.init(of: own, from: same, tolerance: nil)
  }
}

extension TypedArray {
  /// A tensor of a run; nil for handles.
  fileprivate init?(_ tensor: Int, in interpreter: Interpreter) {
    guard let (type, bytes) = interpreter.tensor(tensor),
      let array = try? NpyArray(type, tensorBytes: bytes)
    else { return nil }
    self.init(type: type, array: array)
  }
}

extension [Int] {
  /// The elements that `belongs` picks, and the others.
  fileprivate func partitioned(by belongs: (Int) -> Bool) -> (matching: [Int], others: [Int]) {
    (filter(belongs), filter { !belongs($0) })
  }
}
