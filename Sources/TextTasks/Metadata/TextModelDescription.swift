// SPDX-License-Identifier: Apache-2.0

public import Martlet
public import ModelTasks
import Tokenizers

/// What the metadata of a model that takes text says, so that `TextClassifier`, `TextEmbedder`,
/// `QuestionAnswerer`, MediaPipe and the TensorFlow Lite Task Library can use it.
///
/// The tokenizer of a model with three inputs belongs to all of them, another to the first input;
/// outputs are classes with labels, vectors, or starts and ends of answers.
public struct TextModelDescription: Sendable {
  /// What makes the numbers of tokens, with its files.
  public enum TokenizerDescription: Sendable {
    /// BERT's word pieces, one per line of the vocabulary.
    case bert(vocabulary: AssociatedFileContents)
    /// A SentencePiece model, with its pieces as text where they are to be packed, too.
    case sentencePiece(model: AssociatedFileContents, vocabulary: AssociatedFileContents?)
    /// What lies between words, as a regular expression of RE2, and lines `word number`.
    case regex(delimiter: String, vocabulary: AssociatedFileContents)
  }

  /// What the model's outputs are.
  public enum Product: Sendable, Hashable {
    /// Scores of classes.
    case classes
    /// Vectors.
    case vectors
    /// Where answers to questions start and end.
    case answers
  }

  /// What makes tokens; nil for what is said already, and for models that take strings.
  public var tokenizer: TokenizerDescription?
  /// The names of the inputs, in their order: of three, `ids`, `mask` and `segment_ids`; empty for
  /// what is said already or the graph's names tell.
  public var inputNames: [String] = []
  /// What the outputs are.
  public var product = Product.classes
  /// The names of two outputs, `start_logits` and `end_logits`, in their order; empty for what is
  /// said already or the graph's names tell.
  public var answerNames: [String] = []
  /// What is said about the results.
  public var results = ResultDescription()

  /// A description that says nothing yet.
  public init() {}

  /// The names of three inputs.
  package static let tokenInputs = ["ids", "mask", "segment_ids"]
  /// The names of two outputs.
  package static let answerOutputs = ["end_logits", "start_logits"]

  /// The metadata and files of `model` after the description is put into them.
  ///
  /// - Parameters:
  ///   - metadata: what is said so far; nil for nothing.
  ///   - files: the files so far.
  ///   - model: the model.
  /// - Returns: the metadata and the files, which `Model.bytes(with:files:)` takes.
  /// - Throws: `TaskError` that says which part does not fit the model, or which file is no
  ///   vocabulary.
  public func added(
    to metadata: ModelMetadata?, files: [AssociatedFileContents], of model: Model
  ) throws(TaskError) -> (metadata: ModelMetadata, files: [AssociatedFileContents]) {
    var draft = try MetadataDraft(metadata, of: model)
    try nameInputs(&draft)
    let packed = try describeTokenizer(&draft)
    switch product {
    case .classes: try draft.describeClasses(results, usualName: "probability")
    case .vectors: try draft.describeVectors(results, usualName: "embedding")
    case .answers: try nameAnswers(&draft)
    }
    return draft.finished(files, adding: packed + results.files)
  }

  /// Gives the inputs their names.
  private func nameInputs(_ draft: inout MetadataDraft) throws(TaskError) {
    let graph = draft.graph
    guard !graph.inputs.isEmpty else { throw .incompatibleModel("the model has no input") }
    if !inputNames.isEmpty {
      guard inputNames.count == graph.inputs.count else {
        throw .invalidOption("\(inputNames.count) names for \(graph.inputs.count) inputs")
      }
      guard graph.inputs.count != 3 || Set(inputNames) == Set(Self.tokenInputs) else {
        throw .invalidOption("three inputs are called ids, mask and segment_ids, in their order")
      }
      for (position, name) in inputNames.enumerated() {
        draft.metadata.subgraphs[0].inputs[position].name = name
      }
    } else if graph.inputs.count == 3 {
      let said = draft.metadata.subgraphs[0].inputs.map { $0.name ?? "" }
      guard Set(said) != Set(Self.tokenInputs) else { return }
      for (position, name) in Self.told(draft).enumerated() {
        draft.metadata.subgraphs[0].inputs[position].name = name
      }
    } else if draft.isNew {
      draft.metadata.subgraphs[0].inputs[0].name = "input_text"
    }
    for position in graph.inputs.indices {
      draft.metadata.subgraphs[0].inputs[position].content.fillIn(Content(properties: .feature))
    }
  }

  /// What inputs are by the graph's names, as `input_word_ids` and `input_mask`; where those do not
  /// tell, the order that tasks take for granted.
  private static func told(_ draft: MetadataDraft) -> [String] {
    let found = draft.graph.inputs.map { tensor in
      func isCalled(_ word: String) -> Bool { draft.isCalled(tensor, word) }
      return isCalled("mask")
        ? "mask" : isCalled("segment") || isCalled("type") ? "segment_ids" : "ids"
    }
    return Set(found) == Set(tokenInputs) ? found : ["ids", "segment_ids", "mask"]
  }

  /// Names the tokenizer.
  ///
  /// - Returns: its files.
  private func describeTokenizer(
    _ draft: inout MetadataDraft
  ) throws(TaskError) -> [AssociatedFileContents] {
    guard let tokenizer else { return [] }
    let graph = draft.graph
    guard graph.inputs.allSatisfy({ graph.tensors[$0].type.elementType == .int32 }) else {
      throw .incompatibleModel("a model whose inputs are not INT32 takes no numbers of tokens")
    }
    let (unit, files) = try tokenizer.made()
    let isOfAll = graph.inputs.count == 3
    if case .bert = tokenizer, !isOfAll {
      throw .incompatibleModel("a BERT tokenizer belongs to a model with three inputs")
    }
    draft.metadata.subgraphs[0].inputProcessUnits.removeAll(where: \.makesTokens)
    for position in graph.inputs.indices {
      draft.metadata.subgraphs[0].inputs[position].processUnits.removeAll(where: \.makesTokens)
    }
    if isOfAll {
      draft.metadata.subgraphs[0].inputProcessUnits.append(unit)
    } else {
      draft.metadata.subgraphs[0].inputs[0].processUnits.append(unit)
    }
    return files
  }

  /// Gives the outputs their names.
  private func nameAnswers(_ draft: inout MetadataDraft) throws(TaskError) {
    let graph = draft.graph
    guard graph.outputs.count == 2 else {
      throw .incompatibleModel(
        "a model that answers questions has 2 outputs, this one \(graph.outputs.count)")
    }
    guard results.isEmpty else { throw .invalidOption("answers have neither labels nor scores") }
    var names = answerNames
    if names.isEmpty {
      let said = draft.metadata.subgraphs[0].outputs.map { $0.name ?? "" }
      guard Set(said) != Set(Self.answerOutputs) else { return }
      let (first, second) = (graph.outputs[0], graph.outputs[1])
      let isSwapped =
        draft.isCalled(first, "start")
        || draft.isCalled(second, "end")
          && !draft.isCalled(first, "end")
      names = isSwapped ? Self.answerOutputs.reversed() : Self.answerOutputs
    }
    guard Set(names) == Set(Self.answerOutputs), names.count == 2 else {
      throw .invalidOption("two outputs are called start_logits and end_logits, in their order")
    }
    for (position, name) in names.enumerated() {
      draft.metadata.subgraphs[0].outputs[position].name = name
      draft.metadata.subgraphs[0].outputs[position].content.fillIn(Content(properties: .feature))
    }
  }
}

extension TextModelDescription.TokenizerDescription {
  /// The process unit and its files, which are refused here where no tokenizer can be made of them.
  fileprivate func made() throws(TaskError) -> (unit: ProcessUnit, files: [AssociatedFileContents])
  {
    func vocabulary(_ file: AssociatedFileContents) -> AssociatedFile {
      AssociatedFile(
        name: file.name, description: "The words that the tokenizer knows.", kind: .vocabulary)
    }
    func check(
      _ file: AssociatedFileContents, _ make: () throws(TokenizerError) -> Void
    ) throws(TaskError) {
      do throws(TokenizerError) { try make() } catch { throw .labels("\(file.name): \(error)") }
    }
    switch self {
    case .bert(let words):
      try check(words) { () throws(TokenizerError) in
        _ = try WordPieceTokenizer(vocabulary: words.contents)
      }
      return (.bertTokenizer(BertTokenizerOptions(vocabularyFiles: [vocabulary(words)])), [words])
    case .sentencePiece(let model, let words):
      try check(model) { () throws(TokenizerError) in
        _ = try SentencePieceTokenizer(model: model.contents)
      }
      let file = AssociatedFile(
        name: model.name, description: "The SentencePiece model.", kind: .unknown)
      let options = SentencePieceTokenizerOptions(
        modelFiles: [file], vocabularyFiles: words.map { [vocabulary($0)] } ?? [])
      return (.sentencePieceTokenizer(options), [model] + [words].compactMap(\.self))
    case .regex(let delimiter, let words):
      try check(words) { () throws(TokenizerError) in
        _ = try RegexTokenizer(delimiter: delimiter, vocabulary: words.contents)
      }
      let options = RegexTokenizerOptions(
        delimiterPattern: delimiter, vocabularyFiles: [vocabulary(words)])
      return (.regexTokenizer(options), [words])
    }
  }
}

extension ProcessUnit {
  /// Whether the step divides texts.
  package var makesTokens: Bool {
    switch self {
    case .bertTokenizer, .sentencePieceTokenizer, .regexTokenizer: true
    case .normalization, .scoreCalibration, .scoreThresholding, .unknown: false
    }
  }
}
