// SPDX-License-Identifier: Apache-2.0

package import Martlet
import MetadataFormat
package import ModelTasks
package import Tokenizers

/// The tokenizer that a model's metadata names.
enum MetadataTokenizer {
  case wordPiece(WordPieceTokenizer)
  case sentencePiece(SentencePieceTokenizer)
  case regex(RegexTokenizer)

  /// The tokenizer of the first unit that is one; nil where none is.
  ///
  /// - Throws: `TaskError.labels` where its vocabulary is missing or broken.
  init?(_ units: [ProcessUnit], _ notes: ModelNotes) throws(TaskError) {
    for unit in units {
      switch unit {
      case .bertTokenizer(let options):
        self = .wordPiece(
          try Self.made(of: options.vocabularyFiles, notes) { bytes throws(TokenizerError) in
            try WordPieceTokenizer(vocabulary: bytes)
          })
        return
      case .sentencePieceTokenizer(let options):
        self = .sentencePiece(
          try Self.made(of: options.modelFiles, notes) { bytes throws(TokenizerError) in
            try SentencePieceTokenizer(model: bytes)
          })
        return
      case .regexTokenizer(let options):
        guard let delimiter = options.delimiterPattern else {
          throw .incompatibleModel("the metadata's RegexTokenizer has no delim_regex_pattern")
        }
        self = .regex(
          try Self.made(of: options.vocabularyFiles, notes) { bytes throws(TokenizerError) in
            try RegexTokenizer(delimiter: delimiter, vocabulary: bytes)
          })
        return
      case .normalization, .scoreCalibration, .scoreThresholding, .unknown: continue
      }
    }
    return nil
  }

  /// The tokenizer of the first of the files.
  private static func made<Made>(
    of files: [AssociatedFile], _ notes: ModelNotes,
    _ make: ([UInt8]) throws(TokenizerError) -> Made
  ) throws(TaskError) -> Made {
    guard let file = files.first else {
      throw .incompatibleModel("the metadata names a tokenizer and no file for it")
    }
    let bytes = try notes.contents(of: file)
    do throws(TokenizerError) { return try make(bytes) } catch {
      throw .labels("\(file.name ?? "vocabulary"): \(error)")
    }
  }

  /// What makes tokens.
  var tokenizer: any Tokenizer {
    switch self {
    case .wordPiece(let tokenizer): tokenizer
    case .sentencePiece(let tokenizer): tokenizer
    case .regex(let tokenizer): tokenizer
    }
  }
}

extension ModelNotes {
  /// The position among `tensors` of the one that is called `name`; nil where there is none.
  func position(of name: String, among tensors: [TensorMetadata]?) -> Int? {
    tensors?.firstIndex { $0.name == name }
  }

  /// What the metadata says about each input.
  var inputs: [TensorMetadata]? { metadata?.subgraphs.first?.inputs }
}

extension Model {
  /// Refuses a tokenizer of the metadata that cannot be made of its files.
  ///
  /// - Throws: `TaskError` where the tokenizer's files are missing or broken.
  package func checkTokenizer() throws(TaskError) { _ = try tokenizer() }

  /// The tokens that the metadata's tokenizer makes of a text; nil where it names none.
  ///
  /// - Throws: `TaskError` where the tokenizer cannot be made, or fails on the text.
  package func tokens(of text: String) throws(TaskError) -> [Token]? {
    guard let tokenizer = try tokenizer() else { return nil }
    return try tokenized { () throws(TokenizerError) in try tokenizer.tokens(of: text) }
  }

  private func tokenizer() throws(TaskError) -> (any Tokenizer)? {
    let notes = try ModelNotes(self)
    let graph = notes.metadata?.subgraphs.first
    for units in [graph?.inputProcessUnits ?? []] + (graph?.inputs ?? []).map(\.processUnits) {
      if let found = try MetadataTokenizer(units, notes) { return found.tokenizer }
    }
    return nil
  }
}
