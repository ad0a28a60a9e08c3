// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import Martlet
import ModelFormat
import ModelSummaries
import Tensors

extension ModelSummary {
  /// The summary for a program.
  func json(_ metadata: MetadataReport, tensors: Bool, memory: Bool) -> JSON {
    let plan = interpreter.flatMap(PlanSummary.init)
    return .record([
      "schema": "martlet/inspect/1",
      "model": .string(path),
      "bytes": .integer(file.byteCount),
      "schema_version": .integer(file.version),
      "description": .string(file.description),
      "runs": .bool(problem == nil),
      "error": problem.map {
        .string($0.location.isEmpty ? $0.sentence : "\($0.sentence) (\($0.location))")
      },
      "operators": .array(operators.map(\.json)),
      "macs": totalMACs(ofSubgraph: 0).map { .integer($0) },
      "weight_bytes": .integer(weightByteCount),
      "plan": plan.map(Self.json),
      "signatures": .array(file.signatures.map(Self.json)),
      "subgraphs": .array(
        file.subgraphs.indices.map { json(subgraph: $0, plan, tensors: tensors) }),
      "memory": memory ? plan.map { .array($0.locations.map(\.json)) } ?? .null : nil,
    ]).adding(metadata.members)
  }

  private static func json(_ plan: PlanSummary) -> JSON {
    func nodes(_ state: PlanSummary.NodeState) -> JSON {
      .array(plan.nodes(state).map { .integer($0) })
    }
    return [
      "arena_bytes": .integer(plan.arenaByteCount),
      "arena_lower_bound": .integer(plan.arenaLowerBound),
      "folded": nodes(.folded), "shared": nodes(.shared), "deferred": nodes(.deferred),
      "joined": nodes(.fused),
      "optimized": .array(plan.nodes.filter(\.isOptimized).map { .integer($0.index) }),
    ]
  }

  private static func json(_ signature: ModelFile.Signature) -> JSON {
    func arguments(_ arguments: [ModelFile.Signature.Argument]) -> JSON {
      .array(arguments.map { ["name": .string($0.name), "tensor": .integer($0.tensor)] })
    }
    return [
      "key": .string(signature.key), "subgraph": .integer(signature.subgraph),
      "inputs": arguments(signature.inputs), "outputs": arguments(signature.outputs),
    ]
  }

  private func json(subgraph index: Int, _ plan: PlanSummary?, tensors: Bool) -> JSON {
    let graph = file.subgraphs[index]
    let (types, macs) = (types(ofSubgraph: index), macs(ofSubgraph: index))
    func summary(_ tensor: Int) -> JSON { json(tensor: tensor, subgraph: index, types[tensor]) }
    let nodes = graph.nodes.enumerated().map { position, node -> JSON in
      let planned = index == 0 ? plan?.nodes.first { $0.index == position } : nil
      return .record([
        "index": .integer(position), "operator": .string(node.identity.name),
        "version": .integer(Int(node.identity.version)),
        "inputs": .array(node.inputs.map { .integer($0) }),
        "outputs": .array(node.outputs.map { .integer($0) }),
        "macs": macs[position].map { .integer($0) },
        "state": planned.map { .string($0.state.rawValue) },
        "kernel": planned?.kernel.map { .string($0) },
        "computed_with": planned?.fusedInto.map { .integer($0) },
      ])
    }
    return .record([
      "index": .integer(index), "name": .string(graph.name),
      "inputs": .array(graph.inputs.map(summary)), "outputs": .array(graph.outputs.map(summary)),
      "macs": totalMACs(ofSubgraph: index).map { .integer($0) },
      "nodes": .array(nodes),
      "tensors": tensors ? .array(graph.tensors.indices.map(summary)) : nil,
    ])
  }

  private func json(tensor index: Int, subgraph: Int, _ type: TensorType?) -> JSON {
    let tensor = file.subgraphs[subgraph].tensors[index]
    let quantization = tensor.type.quantization
    func integers(_ values: [Int]) -> JSON { .array(values.map { .integer($0) }) }
    return .record([
      "index": .integer(index), "name": .string(tensor.name),
      "type": .string(tensor.type.elementType.schemaName),
      "shape": type.map { integers($0.shape.dimensions) } ?? .null,
      "shape_signature": tensor.shapeSignature.map(integers),
      "role": .string(role(ofTensor: index, inSubgraph: subgraph)),
      "quantization": quantization.map {
        [
          "scales": .array($0.scales.map { .float($0) }),
          "zero_points": integers($0.zeroPoints.map(Int.init)), "axis": .integer($0.axis),
        ]
      },
    ])
  }
}
