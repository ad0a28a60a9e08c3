// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import OptimizedKernels
import ReferenceKernels
import Tensors

/// Where a tensor lies in the memory of another one.
struct SharedPlace {
  /// The tensor whose memory it is.
  let root: Int
  /// The first byte.
  let offset: Int
}

/// Finds which tensors of a plan share memory, node by node.
///
/// An output may lie where the input lies that it repeats, or the part of it, or, where the kernel
/// computes in place, where an input lies that nobody reads any more.
struct MemorySharing {
  /// A part keeps all of the tensor's memory from being used otherwise; more than these bytes are
  /// copied instead.
  private static let mostKept = 1 << 14
  private let table: TensorTable
  private let keepsAll: Bool
  private let isOutput: [Bool]
  /// Whether a tensor lies in the arena.
  private let isPlaced: [Bool]
  /// The last step in which any of the tensors that share memory so far is read.
  private var lastRead: [Int?]
  /// By tensor index; nil for those with memory of their own.
  private(set) var places: [SharedPlace?]

  /// No tensors that share memory yet, of those that `isPlaced` names and that `lastRead` says when
  /// nodes need last.
  init(
    _ subgraph: ModelFile.Subgraph, _ table: TensorTable, keepsAll: Bool, lastRead: [Int?],
    isPlaced: [Bool]
  ) {
    self.table = table
    self.keepsAll = keepsAll
    self.isPlaced = isPlaced
    self.lastRead = lastRead
    var isOutput = [Bool](repeating: false, count: isPlaced.count)
    for tensor in subgraph.outputs where tensor >= 0 {
      isOutput[tensor] = true
      self.lastRead[tensor] = Int.max
    }
    for tensor in subgraph.inputs where tensor >= 0 { self.lastRead[tensor] = Int.max }
    self.isOutput = isOutput
    places = Array(repeating: nil, count: isPlaced.count)
  }

  /// Has the outputs of a node share its inputs' memory as far as they can; says whether nothing is
  /// left to compute.
  mutating func share(_ node: PreparedNode, at index: Int) -> Bool {
    let parts = node.repeatedParts
    if !parts.isEmpty, parts.count == node.outputs.count,
      zip(parts, node.outputs).allSatisfy({ mayShare($0, of: node, $1) })
    {
      for (part, output) in zip(parts, node.outputs) { share(part, of: node, output) }
      return true
    }
    guard !keepsAll, node.outputs.count == 1, let kernel = node.kernel.blocks else { return false }
    for position in kernel.inPlaceInputs {
      let whole = RepeatedPart(input: position, offset: 0)
      guard mayShare(whole, of: node, node.outputs[0]), isWhole(whole, of: node, node.outputs[0])
      else { continue }
      let input = node.inputs[position]
      guard lastRead[places[input]?.root ?? input] == index else { continue }
      share(whole, of: node, node.outputs[0])
      break
    }
    return false
  }

  private func isWhole(_ part: RepeatedPart, of node: PreparedNode, _ output: Int) -> Bool {
    let input = table.types[node.inputs[part.input]]
    return part.offset == 0 && input?.byteCount == table.types[output]?.byteCount
  }

  private func mayShare(_ part: RepeatedPart, of node: PreparedNode, _ output: Int) -> Bool {
    guard output >= 0, node.inputs.indices.contains(part.input) else { return false }
    let input = node.inputs[part.input]
    guard input >= 0, isPlaced[input] else { return false }
    let root = places[input]?.root ?? input
    let offset = (places[input]?.offset ?? 0) + part.offset
    guard offset.isMultiple(of: table.types[output]?.elementType.alignment ?? 1),
      isWhole(part, of: node, output) || mayLie(part, in: input, root, output)
    else { return false }
    guard table.sources[root] == .input else { return true }
    // The caller may write an input before it has read what the run has left; strings lie
    // elsewhere each time.
    return !keepsAll && !isOutput[output] && table.types[output]?.byteCount != nil
  }

  /// Whether a tensor that is a part of another one lies well in its memory.
  private func mayLie(
    _ part: RepeatedPart, in input: Int, _ root: Int, _ output: Int
  ) -> Bool {
    guard let whole = table.types[input]?.byteCount, let byteCount = table.types[output]?.byteCount,
      let kept = table.types[root]?.byteCount, part.offset <= whole,
      byteCount <= whole - part.offset
    else { return false }
    return kept <= Self.mostKept
  }

  private mutating func share(_ part: RepeatedPart, of node: PreparedNode, _ output: Int) {
    let input = node.inputs[part.input]
    let place = places[input] ?? SharedPlace(root: input, offset: 0)
    places[output] = SharedPlace(root: place.root, offset: place.offset + part.offset)
    lastRead[place.root] = max(lastRead[place.root] ?? 0, lastRead[output] ?? 0)
  }
}

extension ElementType {
  /// What an element's address is a multiple of.
  fileprivate var alignment: Int { min(max((bitCount ?? 8) / 8, 1), 8) }
}
