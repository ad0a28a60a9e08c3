// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Martlet
import MetadataFormat
import ModelSchema
import Tensors
import TestSupport

/// Models whose outputs are sums or lists of numbers that each token has.
enum WordModels {
  /// A tensor's bytes.
  private static func bytes(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
  }

  /// Adds the rows of `table` that an input of numbers names.
  private static func gather(
    _ table: [[Float]], _ ids: Int, length: Int, in model: inout DrawnModel
  ) -> Int {
    let width = table[0].count
    let rows = model.tensor([table.count, width], bytes: bytes(table.flatMap(\.self)))
    let output = model.tensor([1, length, width])
    model.node(.gather, [rows, ids], [output], options: (kind: 23, fields: [0: .int(Int32(0))]))
    return output
  }

  /// A classifier: the score of a class is the mean of what the tokens have for it.
  ///
  /// `table` has a row for each number of a token, and in it a value for each class.
  static func classifier(
    _ table: [[Float]], length: Int, metadata: (inout SubgraphMetadata) -> Void,
    files: [(String, String)]
  ) throws -> Model {
    var model = DrawnModel()
    let ids = model.tensor([1, length], .int32, name: "input_ids")
    let rows = gather(table, ids, length: length, in: &model)
    let axis = model.constant([1])
    let scores = model.tensor([1, table[0].count], name: "scores")
    model.node(.mean, [rows, axis], [scores], options: (kind: 27, fields: [:]))
    model.graphs[0].inputs = [ids]
    model.graphs[0].outputs = [scores]
    var graph = SubgraphMetadata(
      inputs: [TensorMetadata(name: "input_text")], outputs: [TensorMetadata(name: "probability")])
    metadata(&graph)
    return try described(model, graph, files)
  }

  /// A model that answers questions: each token has a number as a start and one as an end.
  static func answerer(
    starts: [Float], ends: [Float], length: Int, vocabulary: String
  ) throws -> Model {
    var model = DrawnModel()
    let inputs = ["ids", "mask", "segment_ids"].map { name in
      model.tensor([1, length], .int32, name: name)
    }
    let outputs = [ends, starts].map { values in
      gather(values.map { [$0] }, inputs[0], length: length, in: &model)
    }
    model.graphs[0].inputs = inputs
    model.graphs[0].outputs = outputs
    let graph = SubgraphMetadata(
      inputs: ["ids", "mask", "segment_ids"].map { TensorMetadata(name: $0) },
      outputs: ["end_logits", "start_logits"].map { TensorMetadata(name: $0) },
      inputProcessUnits: [
        .bertTokenizer(
          BertTokenizerOptions(
            vocabularyFiles: [AssociatedFile(name: "vocab.txt", kind: .vocabulary)]))
      ])
    return try described(model, graph, [("vocab.txt", vocabulary)])
  }

  /// A model that takes a string, and always says the same of it.
  static func constant(scores: [Float], labels: [String]) throws -> Model {
    var model = DrawnModel()
    let text = model.tensor([1], .string, name: "text")
    let output = model.tensor([scores.count], bytes: bytes(scores), name: "scores")
    let names = model.tensor(
      [labels.count], .string, bytes: try StringTensor.bytes(of: labels.map { Array($0.utf8) }),
      name: "names")
    model.graphs[0].inputs = [text]
    model.graphs[0].outputs = [output, names]
    return try model.loaded()
  }

  private static func described(
    _ model: DrawnModel, _ graph: SubgraphMetadata, _ files: [(String, String)]
  ) throws -> Model {
    let metadata = ModelMetadata(subgraphs: [graph])
    let contents = files.map { name, text in
      AssociatedFileContents(name: name, contents: Array(text.utf8))
    }
    return try Model(bytes: try model.loaded().bytes(with: metadata, files: contents))
  }
}
