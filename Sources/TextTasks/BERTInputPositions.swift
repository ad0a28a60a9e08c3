// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelTasks
import Tokenizers

/// Which inputs of a model of BERT's family take what: told by the metadata's names, or else in the
/// order ids, segment ids, mask.
///
/// Task Library: `cc/task/text/utils/bert_utils.cc`.
struct BERTInputPositions {
  let ids: Int
  let segments: Int
  let mask: Int
  /// How many numbers each input takes; nil where the model takes any number.
  let length: Int?

  /// The positions of a model with three inputs.
  ///
  /// - Throws: `TaskError.incompatibleModel` where they are not all rows of int32 numbers of one
  ///   length.
  init(_ interpreter: Interpreter, _ notes: ModelNotes) throws(TaskError) {
    let inputs = interpreter.inputs
    guard inputs.count == 3 else {
      throw .incompatibleModel(
        "Expected at least 3 input tensors (ids, mask, segment ids), found \(inputs.count).")
    }
    let named = ["ids", "segment_ids", "mask"].map { notes.position(of: $0, among: notes.inputs) }
    let known = named.compactMap(\.self)
    let positions = Set(known) == [0, 1, 2] ? known : [0, 1, 2]
    (ids, segments, mask) = (positions[0], positions[1], positions[2])
    var lengths: Set<Int> = []
    for input in inputs {
      let open = input.shapeSignature ?? input.type?.shape.dimensions ?? []
      guard input.type?.elementType == .int32, open.count == 2, abs(open[0]) == 1, open[1] != 0
      else {
        throw .incompatibleModel(
          "The three input tensors in Bert models are expected to be INT32 of dim 2 and batch size 1; \(input.name) is not."
        )
      }
      lengths.insert(open[1])
    }
    guard let length = lengths.first, lengths.count == 1 else {
      throw .incompatibleModel(
        "The three input tensors in Bert models are expected to have same length, got \(lengths.sorted())."
      )
    }
    self.length = length > 0 ? length : nil
  }

  /// Makes `values` the inputs.
  func feed(_ values: BertInputs, to interpreter: Interpreter) throws(TaskError) {
    try interpreter.feed(values.ids, ids)
    try interpreter.feed(values.segments, segments)
    try interpreter.feed(values.mask, mask)
  }
}
