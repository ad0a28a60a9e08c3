// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
import ModelSchema
import Tensors

/// Which integers the tensors of a graph may be where nodes read them as indices, axes or counts.
///
/// Ranges are followed backwards through nodes that only move or convert values, so that an input
/// that is reshaped before it is looked up has the range of the table. Made-up values keep to it;
/// nothing else does.
package struct IndexRanges {
  private let subgraph: ModelFile.Subgraph
  private var ranges: [Int: ClosedRange<Int>] = [:]

  /// The ranges of a graph's tensors.
  package init(of subgraph: ModelFile.Subgraph) {
    self.subgraph = subgraph
    for node in subgraph.nodes.reversed() {
      guard let code = node.identity.code else { continue }
      for (position, range) in ownRanges(node, code) { limit(node.inputs, position, to: range) }
      guard let moved = Self.movedInputs[code] else { continue }
      for case let range? in node.outputs.map({ ranges[$0] }) {
        let positions = moved.isEmpty ? Array(node.inputs.indices) : moved
        for position in positions { limit(node.inputs, position, to: range) }
      }
    }
  }

  /// The integers that tensor `index` may be; nil where any will do.
  package func range(_ index: Int) -> ClosedRange<Int>? { ranges[index] }

  private mutating func limit(_ inputs: [Int], _ position: Int, to range: ClosedRange<Int>) {
    guard inputs.indices.contains(position) else { return }
    let earlier = ranges[inputs[position]]
    // Ranges that exclude each other cannot both be kept.
    guard earlier.map({ $0.overlaps(range) }) ?? true else { return }
    ranges[inputs[position]] = earlier?.clamped(to: range) ?? range
  }

  /// The inputs whose values become those of the outputs; none stands for all.
  private static let movedInputs: [OperatorCode: [Int]] = [
    .reshape: [0], .cast: [0], .expandDims: [0], .squeeze: [0], .transpose: [0], .slice: [0],
    .stridedSlice: [0], .splitV: [0], .split: [1], .unpack: [0], .tile: [0], .broadcastTo: [0],
    .gather: [0], .gatherND: [0], .reverseV2: [0], .concatenation: [], .pack: [],
    .selectV2: [1, 2], .select: [1, 2], .minimum: [], .maximum: [], .stablehloReshape: [0],
    .stablehloTranspose: [0], .stablehloConvert: [0], .stablehloConcatenate: [],
  ]

  /// What a node's inputs may be by what it does with them.
  private func ownRanges(
    _ node: ModelFile.Node, _ code: OperatorCode
  ) -> [(position: Int, range: ClosedRange<Int>)] {
    switch code {
    case .gather:
      let axis = (node.options as? GatherOptions)?.axis ?? 0
      return indices(1, below: [length(node.inputs, 0, axis: Int(axis))])
    case .gatherND:
      return indices(1, below: lengths(node.inputs, 0, count: last(node.inputs, 1)))
    case .scatterND, .sparseToDense:
      return indices(0, below: lengths(node.outputs, 0, count: last(node.inputs, 0)))
    case .embeddingLookup, .hashtableLookup:
      return indices(0, below: [length(node.inputs, 1, axis: 0)])
    case .embeddingLookupSparse:
      return indices(0, below: [length(node.inputs, 4, axis: 0)]) + [(1, 0...0), (2, 1...1)]
    case .oneHot:
      let axis = (node.options as? OneHotOptions)?.axis ?? -1
      return indices(0, below: [length(node.outputs, 0, axis: Int(axis))]) + [(1, 1...1)]
    case .unsortedSegmentMax, .unsortedSegmentMin, .unsortedSegmentSum, .unsortedSegmentProd:
      let count = length(node.outputs, 0, axis: 0)
      return indices(1, below: [count]) + (count.map { [(2, $0...$0)] } ?? [])
    case .reverseSequence:
      let axis = (node.options as? ReverseSequenceOptions)?.sequenceAxis ?? 0
      return length(node.inputs, 0, axis: Int(axis)).map { [(1, 0...$0)] } ?? []
    case .segmentSum, .pad, .padV2, .mirrorPad, .expandDims, .argMax, .argMin, .reverseV2, .cumsum,
      .sum, .mean, .reduceMax, .reduceMin, .reduceProd, .reduceAny, .reduceAll:
      return [(1, 0...0)]
    case .split: return [(0, 0...0)]
    case .splitV: return [(2, 0...0)]
    case .slice: return [(1, 0...0), (2, 1...1)]
    case .stridedSlice: return [(1, 0...0), (3, 1...1)]
    case .fill, .randomUniform, .randomStandardNormal: return [(0, 1...1)]
    case .broadcastArgs: return [(0, 1...1), (1, 1...1)]
    case .tile, .topKV2, .resizeBilinear, .resizeNearestNeighbor, .multinomial, .dilate:
      return [(1, 1...1)]
    case .range: return [(0, 0...0), (1, 1...1), (2, 1...1)]
    case _: return []
    }
  }

  /// The range of indices into axes of these lengths; none where a length is not known.
  private func indices(
    _ position: Int, below lengths: [Int?]
  ) -> [(position: Int, range: ClosedRange<Int>)] {
    guard let shortest = lengths.map({ $0 ?? 0 }).min(), shortest > 0 else { return [] }
    return [(position, 0...shortest - 1)]
  }

  /// The dimensions of a node's tensor.
  private func dimensions(_ tensors: [Int], _ position: Int) -> [Int] {
    guard tensors.indices.contains(position), subgraph.tensors.indices.contains(tensors[position])
    else { return [] }
    return subgraph.tensors[tensors[position]].type.shape.dimensions
  }

  private func length(_ tensors: [Int], _ position: Int, axis: Int) -> Int? {
    let dimensions = dimensions(tensors, position)
    let axis = axis < 0 ? axis + dimensions.count : axis
    return dimensions.indices.contains(axis) ? dimensions[axis] : nil
  }

  private func lengths(_ tensors: [Int], _ position: Int, count: Int) -> [Int?] {
    let dimensions = dimensions(tensors, position)
    return count > 0 && count <= dimensions.count ? Array(dimensions[..<count]) : []
  }

  /// The length of a tensor's last axis.
  private func last(_ tensors: [Int], _ position: Int) -> Int {
    dimensions(tensors, position).last ?? 1
  }
}
