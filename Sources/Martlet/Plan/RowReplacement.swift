// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors

/// Nodes that together replace rows of a tensor: two slices of it, before and after the rows, and
/// other rows joined between them.
///
/// The converter makes such nodes of what sets an element of a list, as recurrent layers do in each
/// round of their loop. Where the slices end only the run knows, so that all three nodes would be
/// prepared in each round anew; but what they give has the type of the list.
struct RowReplacement {
  /// The tensor of which rows are replaced.
  let list: Int
  /// The nodes of the slices.
  let slices: [Int]
  /// What one kernel reads instead: the list; the rows; where the first slice says how long it is;
  /// where the second says where it begins.
  private let inputs: [Int]

  /// The replacements of a subgraph by the nodes that join them, as far as its constants tell.
  static func all(
    in subgraph: ModelFile.Subgraph, _ table: TensorTable
  ) -> [Int: RowReplacement] {
    let candidates = subgraph.nodes.indices.filter {
      let node = subgraph.nodes[$0]
      return node.inputs.count == 3 && node.outputs.count == 1
        && (node.inputs + node.outputs).allSatisfy { $0 >= 0 }
    }
    let joins = candidates.filter { subgraph.nodes[$0].identity.code == .concatenation }
    guard !joins.isEmpty else { return [:] }
    var slices: [Int: Int] = [:]
    for index in candidates where subgraph.nodes[index].identity.code == .slice {
      slices[subgraph.nodes[index].outputs[0]] = index
    }
    guard slices.count > 1 else { return [:] }
    let uses = subgraph.useCounts
    var found: [Int: RowReplacement] = [:]
    for join in joins {
      let ends = [subgraph.nodes[join].inputs[0], subgraph.nodes[join].inputs[2]]
      let cuts = ends.compactMap { slices[$0] }
      guard cuts.count == 2, ends.allSatisfy({ uses[$0] == 1 }) else { continue }
      found[join] = RowReplacement(join, slices: cuts, subgraph, table)
    }
    return found
  }

  /// What the node `join` and the slices are; nil where they replace no rows.
  private init?(
    _ join: Int, slices: [Int], _ subgraph: ModelFile.Subgraph, _ table: TensorTable
  ) {
    let node = subgraph.nodes[join]
    let (before, after) = (subgraph.nodes[slices[0]].inputs, subgraph.nodes[slices[1]].inputs)
    guard let options = try? node.options(as: ConcatenationOptions.self), options.axis == 0,
      options.fusedActivation == .none, slices[0] != slices[1], slices.allSatisfy({ $0 < join }),
      before[0] == after[0], table.isConstant(before[1], of: 0),
      table.isConstant(after[2], of: -1)
    else { return nil }
    list = before[0]
    inputs = [list, node.inputs[1], before[2], after[1]]
    self.slices = slices
    // Elsewhere, elements are scaled anew.
    let quantization = subgraph.tensors[list].type.quantization
    let others = slices.map { subgraph.nodes[$0].outputs[0] } + [node.inputs[1], node.outputs[0]]
    guard others.allSatisfy({ subgraph.tensors[$0].type.quantization == quantization }) else {
      return nil
    }
  }

  /// The type that the nodes give unless the run finds another; nil as long as the list's is not
  /// known.
  func type(_ table: TensorTable) -> TensorType? { table.types[list] }

  /// The nodes as one, instead of the node `join`; nil where the types are not those of a
  /// replacement.
  func prepared(_ join: Int, _ subgraph: ModelFile.Subgraph, _ table: TensorTable) -> PreparedNode?
  {
    let output = subgraph.nodes[join].outputs[0]
    let types = inputs.compactMap { table.types[$0] }
    guard types.count == inputs.count, table.predicted.contains(output),
      table.types[output]?.shape == types[0].shape,
      let kernel = ReplacedRows(list: types[0], rows: types[1], sizes: types[2], begins: types[3])
    else { return nil }
    return PreparedNode(
      waiting: slices.sorted() + [join], inputs: inputs, outputs: [output],
      by: KernelSet.OptimizedKernel(kernel),
      PrepareContext(
        inputs: types.map { PrepareContext.Operand($0) }, declaredOutputs: [types[0]]))
  }
}

extension [Int: RowReplacement] {
  /// `nodes` with those fused that replace rows and wait for the run.
  func fusing(
    _ nodes: [NodePlan<PreparedNode>], of subgraph: ModelFile.Subgraph, _ table: TensorTable,
    _ kernels: KernelSet
  ) -> [NodePlan<PreparedNode>] {
    guard kernels.fusesNodes else { return nodes }
    var nodes = nodes
    for (join, replacement) in self {
      let waits = (replacement.slices + [join]).allSatisfy {
        if case .deferred = nodes[$0] { true } else { false }
      }
      guard waits, let fused = replacement.prepared(join, subgraph, table) else { continue }
      for slice in replacement.slices { nodes[slice] = .fused(into: join) }
      nodes[join] = .computed(fused)
    }
    return nodes
  }
}

extension TensorTable {
  /// Whether a tensor is a constant vector of int32 that are all `value`.
  fileprivate func isConstant(_ tensor: Int, of value: Int32) -> Bool {
    guard sources[tensor] == .constant, types[tensor]?.elementType == .int32,
      let content = bytes[tensor]
    else { return false }
    let span = content.span(as: Int32.self)
    return span.indices.allSatisfy { span[$0] == value }
  }
}
