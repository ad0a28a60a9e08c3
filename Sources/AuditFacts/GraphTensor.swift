// SPDX-License-Identifier: Apache-2.0

package import Martlet
package import ModelSummaries
import Npy
package import Tensors
import Traces

/// An input or output of the model.
package struct GraphTensor: Sendable {
  package let tensor: Int
  package let name: String
  /// The type in the audited run; nil where it has no value.
  package let type: TensorType?

  /// The inputs or outputs of an interpreter.
  package static func all(_ tensors: [Interpreter.TensorInfo]) -> [GraphTensor] {
    tensors.map { GraphTensor(tensor: $0.index, name: $0.name, type: $0.type) }
  }
}

/// The largest values of an output.
package struct OutputScores: Sendable {
  package let name: String
  package let type: TensorType
  /// Flat indices and real values, largest first; equal ones by index.
  package let largest: [(index: Int, value: Double)]

  /// The `count` largest values of each output that holds numbers.
  package static func all(_ interpreter: Interpreter, count: Int) -> [OutputScores] {
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
package struct MemoryFacts: Sendable {
  package let arenaByteCount: Int
  package let lowerBound: Int
  /// What all tensors would take side by side.
  package let totalByteCount: Int
  package let nodeCount: Int
  package let locations: [PlanSummary.Location]
  /// The names of the main graph's tensors.
  package let names: [String]

  package init(_ plan: PlanSummary, _ model: Model) {
    arenaByteCount = plan.arenaByteCount
    lowerBound = plan.arenaLowerBound
    let graph = model.file.subgraphs[0]
    nodeCount = graph.nodes.count
    locations = plan.locations
    names = graph.tensors.map(\.name)
    totalByteCount = locations.reduce(0) { $0 + $1.byteCount }
  }

  /// The node during which most bytes are in use, and how many they are.
  package var peak: (node: Int, byteCount: Int) {
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
