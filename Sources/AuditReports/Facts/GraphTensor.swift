// SPDX-License-Identifier: Apache-2.0

internal import Martlet
internal import ModelSummaries
internal import Npy
internal import Tensors
internal import Traces

/// An input or output of the model.
struct GraphTensor: Sendable {
  let tensor: Int
  let name: String
  /// The type in the audited run; nil where it has no value.
  let type: TensorType?

  /// The inputs or outputs of an interpreter.
  static func all(_ tensors: [Interpreter.TensorInfo]) -> [GraphTensor] {
    tensors.map { GraphTensor(tensor: $0.index, name: $0.name, type: $0.type) }
  }
}

/// The largest values of an output.
struct OutputScores: Sendable {
  let name: String
  let type: TensorType
  /// Flat indices and real values, largest first; equal ones by index.
  let largest: [(index: Int, value: Double)]

  /// The `count` largest values of each output that holds numbers.
  static func all(_ interpreter: Interpreter, count: Int) -> [OutputScores] {
    interpreter.outputs.compactMap { output in
      guard let (type, bytes) = interpreter.tensor(output.index),
        let array = try? NpyArray(type, tensorBytes: bytes), let values = RealValues(type, array)
      else { return nil }
      let order = values.numbers.indices.filter { !values.numbers[$0].isNaN }.sorted {
        (values.numbers[$1], $0) < (values.numbers[$0], $1)
      }
      return OutputScores(
        name: output.name, type: type,
        largest: order.prefix(count).map { ($0, values.numbers[$0]) })
    }
  }
}

/// Where the activations of the main graph lie in the arena.
struct MemoryFacts: Sendable {
  let arenaByteCount: Int
  let lowerBound: Int
  /// What all tensors would take side by side.
  let totalByteCount: Int
  let nodeCount: Int
  let locations: [PlanSummary.Location]
  /// The names of the main graph's tensors.
  let names: [String]

  init(_ plan: PlanSummary, _ model: Model) {
    arenaByteCount = plan.arenaByteCount
    lowerBound = plan.arenaLowerBound
    let graph = model.file.subgraphs[0]
    nodeCount = graph.nodes.count
    locations = plan.locations
    names = graph.tensors.map(\.name)
    totalByteCount = locations.reduce(0) { $0 + $1.byteCount }
  }

  /// The node during which most bytes are in use, and how many they are.
  var peak: (node: Int, byteCount: Int) {
    var inUse = [Int](repeating: 0, count: max(nodeCount, 1))
    // Tensors that share memory count once.
    var counted = Set<[Int]>()
    for location in locations
    where counted.insert([location.offset, location.byteCount, location.lifetime.lowerBound])
      .inserted
    {
      for node in location.lifetime where inUse.indices.contains(node) {
        inUse[node] += location.byteCount
      }
    }
    let most = inUse.max() ?? 0
    return (inUse.firstIndex(of: most) ?? 0, most)
  }
}
