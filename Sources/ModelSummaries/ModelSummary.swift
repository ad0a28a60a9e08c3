// SPDX-License-Identifier: Apache-2.0

package import Martlet
package import ModelFormat
internal import ReferenceKernels
package import Tensors

/// What can be said about a model without running it.
package struct ModelSummary {
  package let path: String
  package let model: Model
  /// An interpreter that has planned the model; nil where that fails.
  package let interpreter: Interpreter?
  /// Why the model cannot be planned.
  package let problem: InferenceError?

  package init(_ model: Model, path: String, options: Interpreter.Options) {
    self.path = path
    self.model = model
    var interpreter: Interpreter?
    var problem: InferenceError?
    do throws(InferenceError) {
      let planned = try Interpreter(model, options: options)
      try planned.prepare()
      interpreter = planned
    } catch {
      problem = error
    }
    self.interpreter = interpreter
    self.problem = problem
  }

  package var file: ModelFile { model.file }

  /// A subgraph's tensors: as planning found them for the main one, else as declared.
  package func tensors(ofSubgraph index: Int) -> GraphTensors {
    if index == 0, let table = interpreter?.table { return GraphTensors(table) }
    return GraphTensors(file.subgraphs[index], of: file)
  }

  /// The types of a subgraph's tensors, likewise.
  package func types(ofSubgraph index: Int) -> [TensorType?] { tensors(ofSubgraph: index).types }

  /// The multiply-accumulates of each node of a subgraph; nil where they are not known.
  package func macs(ofSubgraph index: Int) -> [Int?] {
    let tensors = tensors(ofSubgraph: index)
    return file.subgraphs[index].nodes.map { NodeCost($0, tensors).multiplyAdds }
  }

  /// The sum of a subgraph's multiply-accumulates; nil beyond 64 bits.
  package func totalMACs(ofSubgraph index: Int) -> Int? {
    var total = 0
    for case let count? in macs(ofSubgraph: index) {
      let (sum, overflow) = total.addingReportingOverflow(count)
      if overflow { return nil }
      total = sum
    }
    return total
  }

  /// One operator, how often it occurs in all subgraphs, and whether there are kernels for it.
  package struct OperatorUse {
    package let identity: OperatorIdentity
    package let count: Int
    package let isSupported: Bool
  }

  /// The operators by falling number of occurrences.
  package var operators: [OperatorUse] {
    var counts: [OperatorIdentity: Int] = [:]
    for subgraph in file.subgraphs {
      for node in subgraph.nodes { counts[node.identity, default: 0] += 1 }
    }
    let uses = counts.map { identity, count in
      OperatorUse(
        identity: identity, count: count, isSupported: OperatorCatalog.entry(of: identity) != nil)
    }
    return uses.sorted {
      ($1.count, $0.identity.name, $0.identity.version)
        < ($0.count, $1.identity.name, $1.identity.version)
    }
  }

  /// The bytes of constant tensors; a buffer that several tensors share counts once.
  package var weightByteCount: Int {
    let used = Set(file.subgraphs.flatMap { $0.tensors.map(\.buffer) })
    // Ranges lie within the file but may overlap in a hostile one, so the sum is bounded.
    return used.reduce(0) { sum, buffer in
      file.buffers.indices.contains(buffer) ? sum &+ file.buffers[buffer].count : sum
    }
  }

  /// How a tensor gets its values.
  package func role(ofTensor index: Int, inSubgraph subgraph: Int) -> String {
    let graph = file.subgraphs[subgraph]
    let tensor = graph.tensors[index]
    if graph.inputs.contains(index) { return "input" }
    if tensor.isVariable { return "variable" }
    if file.buffers.indices.contains(tensor.buffer), !file.buffers[tensor.buffer].isEmpty {
      return "constant"
    }
    return graph.outputs.contains(index) ? "output" : "activation"
  }
}
