// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import Tensors

/// The types that nodes which wait for the run are taken to give.
///
/// That is what a run has found or, as long as none has found something else, what the file declares:
/// shapes that a loop's values decide are often the same in every round. Of a node that has given
/// something else once more nothing is predicted.
struct Predictions {
  /// Whether inputs have the shapes that the file declares, so that outputs may have them too.
  var includesDeclared = true
  /// Whether there are types that no plan has used yet.
  private(set) var hasNews = false
  /// What a run found where something else was predicted, or nothing, by node.
  private var found: [Int: [TensorType]] = [:]
  private var unpredictable: Set<Int> = []

  /// What a node gives; nil where that is not to be known.
  ///
  /// Before a run has found anything that is `expected`, or what the file declares.
  func types(
    ofNode index: Int, in subgraph: ModelFile.Subgraph, expecting expected: [TensorType]? = nil
  ) -> [TensorType]? {
    if unpredictable.contains(index) { return nil }
    if let types = found[index] ?? expected { return types }
    return includesDeclared ? subgraph.nodes[index].outputs.map { subgraph.tensors[$0].type } : nil
  }

  /// Notes that a node gave other types than predicted; nil where one is not known.
  mutating func correct(_ index: Int, to types: [TensorType?]) {
    guard !unpredictable.contains(index) else { return }
    let known = types.compactMap { $0 }
    if known.count == types.count, found[index] == nil {
      found[index] = known
      hasNews = true
    } else {
      unpredictable.insert(index)
    }
  }

  /// Notes that a plan is made of what is known now.
  mutating func settle() { hasNews = false }
}
