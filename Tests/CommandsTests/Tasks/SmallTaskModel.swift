// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FlatBuffers
import Martlet
import ModelFormat
import Tensors
import TestSupport

/// A small model of a task, and metadata that a test can break.
struct SmallTaskModel {
  private let drawn: DrawnModel
  /// What the metadata says of the main graph; nil for no metadata.
  var metadata: SubgraphMetadata?
  /// The files that are packed.
  var files: [(name: String, text: String)] = []

  /// The file's bytes.
  func bytes() throws -> [UInt8] {
    guard let metadata else { return drawn.bytes }
    return try drawn.loaded().bytes(
      with: ModelMetadata(subgraphs: [metadata]),
      files: files.map { AssociatedFileContents(name: $0.name, contents: Array($0.text.utf8)) })
  }

  /// Puts the file into a console's folder.
  func put(_ name: String, _ console: CapturedConsole) throws {
    try console.put(try bytes(), name)
  }

  /// The metadata without what `body` takes away.
  func changed(_ body: (inout SubgraphMetadata) -> Void) -> SmallTaskModel {
    var model = self
    if var graph = model.metadata { body(&graph); model.metadata = graph }
    return model
  }

  /// The same model without metadata.
  var bare: SmallTaskModel {
    var model = self
    (model.metadata, model.files) = (nil, [])
    return model
  }

  private static let normalization = ProcessUnit.normalization(
    NormalizationOptions(mean: [127.5], standardDeviation: [127.5]))
  private static let image = TensorMetadata(
    name: "image", content: Content(properties: .image(ImageProperties(colorSpace: .rgb))),
    processUnits: [normalization])

  private static func labels(_ name: String = "labels.txt", locale: String? = nil) -> AssociatedFile
  {
    AssociatedFile(name: name, kind: .tensorAxisLabels, locale: locale)
  }

  /// The mean of each color: three classes of an image.
  static func classes() -> SmallTaskModel {
    var model = DrawnModel()
    let (input, output) = (model.tensor([1, 4, 4, 3], name: "x"), model.tensor([1, 3], name: "y"))
    let axes = model.constant([1, 2])
    model.node(.mean, [input, axes], [output], options: (kind: 27, fields: [:]))
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    return SmallTaskModel(
      drawn: model,
      metadata: SubgraphMetadata(
        inputs: [image],
        outputs: [TensorMetadata(name: "probability", associatedFiles: [labels()])]),
      files: [("labels.txt", "red\ngreen\nblue\n")])
  }

  /// The colors of the pixels the other way round: an image of an image, or three categories.
  static func pixels(isSegmenter: Bool) -> SmallTaskModel {
    var model = DrawnModel()
    let shape = [1, 4, 4, 3]
    let (input, output) = (model.tensor(shape, name: "x"), model.tensor(shape, name: "y"))
    model.node(.neg, [input], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    let result =
      isSegmenter
      ? TensorMetadata(name: "masks", associatedFiles: [labels()])
      : TensorMetadata(name: "image", stats: Stats(maximum: [1], minimum: [-1]))
    return SmallTaskModel(
      drawn: model, metadata: SubgraphMetadata(inputs: [image], outputs: [result]),
      files: isSegmenter ? [("labels.txt", "red\ngreen\nblue\n")] : [])
  }

  /// Two boxes that are always the same, whatever the image.
  static func boxes() -> SmallTaskModel {
    var model = DrawnModel()
    let input = model.tensor([1, 4, 4, 3], name: "x")
    let outputs = [[1, 2, 4], [1, 2], [1, 2], [1]].enumerated().map { index, shape in
      model.tensor(
        shape, bytes: [UInt8](repeating: 0, count: 4 * shape.reduce(1, *)), name: "y\(index)")
    }
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], outputs)
    var results = ["location", "category", "score", "number of detections"].map {
      TensorMetadata(name: $0)
    }
    results[0].content = Content(
      properties: .boundingBox(
        BoundingBoxProperties(index: [1, 0, 3, 2], type: .boundaries, coordinateType: .ratio)))
    results[1].associatedFiles = [AssociatedFile(name: "labels.txt", kind: .tensorValueLabels)]
    return SmallTaskModel(
      drawn: model, metadata: SubgraphMetadata(inputs: [image], outputs: results),
      files: [("labels.txt", "cat\ndog\n")])
  }

  /// A sound whose 400 samples are 400 classes.
  static func sound() -> SmallTaskModel {
    var model = DrawnModel()
    let (input, output) = (model.tensor([1, 400], name: "x"), model.tensor([1, 400], name: "y"))
    model.node(.logistic, [input], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    let clip = Content(properties: .audio(AudioProperties(sampleRate: 16_000, channels: 1)))
    let names = (0..<400).map { "sound \($0)\n" }.joined()
    return SmallTaskModel(
      drawn: model,
      metadata: SubgraphMetadata(
        inputs: [TensorMetadata(name: "audio_clip", content: clip)],
        outputs: [TensorMetadata(name: "probability", associatedFiles: [labels()])]),
      files: [("labels.txt", names)])
  }

  /// Adds the rows of a table that an input of numbers names.
  private static func gather(
    _ table: [[Float]], _ ids: Int, length: Int, in model: inout DrawnModel
  ) -> Int {
    let bytes = table.flatMap(\.self).flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    let rows = model.tensor([table.count, table[0].count], bytes: bytes)
    let output = model.tensor([1, length, table[0].count])
    model.node(.gather, [rows, ids], [output], options: (kind: 23, fields: [0: .int(Int32(0))]))
    return output
  }

  /// Two classes of a text of eight words.
  static func words() -> SmallTaskModel {
    var model = DrawnModel()
    let ids = model.tensor([1, 8], .int32, name: "ids")
    let table: [[Float]] = [[0, 0], [0, 0], [0, 0], [8, 0], [0, 8]]
    let rows = gather(table, ids, length: 8, in: &model)
    let (axis, scores) = (model.constant([1]), model.tensor([1, 2], name: "scores"))
    model.node(.mean, [rows, axis], [scores], options: (kind: 27, fields: [:]))
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([ids], [scores])
    let tokenizer = ProcessUnit.regexTokenizer(
      RegexTokenizerOptions(
        delimiterPattern: "[^a-z]+",
        vocabularyFiles: [AssociatedFile(name: "vocab.txt", kind: .vocabulary)]))
    return SmallTaskModel(
      drawn: model,
      metadata: SubgraphMetadata(
        inputs: [TensorMetadata(name: "input_text", processUnits: [tokenizer])],
        outputs: [TensorMetadata(name: "probability", associatedFiles: [labels()])]),
      files: [
        ("vocab.txt", "<PAD> 0\n<START> 1\n<UNKNOWN> 2\ngood 3\nbad 4\n"),
        ("labels.txt", "positive\nnegative\n"),
      ])
  }

  /// Answers of one word: `blue` begins and ends them.
  static func answers() -> SmallTaskModel {
    var model = DrawnModel()
    let inputs = ["input_word_ids", "input_mask", "input_type_ids"].map { name in
      model.tensor([1, 12], .int32, name: name)
    }
    let values: [[Float]] = [[0], [0], [0], [0], [0], [0], [9]]
    let outputs = (0..<2).map { _ in gather(values, inputs[0], length: 12, in: &model) }
    (model.graphs[0].inputs, model.graphs[0].outputs) = (inputs, outputs)
    let tokenizer = ProcessUnit.bertTokenizer(
      BertTokenizerOptions(vocabularyFiles: [AssociatedFile(name: "vocab.txt", kind: .vocabulary)])
    )
    return SmallTaskModel(
      drawn: model,
      metadata: SubgraphMetadata(
        inputs: ["ids", "mask", "segment_ids"].map { TensorMetadata(name: $0) },
        outputs: ["end_logits", "start_logits"].map { TensorMetadata(name: $0) },
        inputProcessUnits: [tokenizer]),
      files: [("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nsky\nis\nblue\n")])
  }
}
