// SPDX-License-Identifier: Apache-2.0

import Martlet
import MetadataFormat
package import ModelTasks
import Tensors
import Tokenizers

/// How a text becomes a model's inputs: as it is, or as numbers of tokens that the metadata's
/// tokenizer makes.
///
/// Task Library: `RegexPreprocessor`, `BertPreprocessor`, `UniversalSentenceEncoderPreprocessor`;
/// MediaPipe: `text_model_utils.cc`, which tells the form by the inputs' number and types.
struct TextInput {
  /// What the inputs take.
  private enum Form {
    /// One input of strings, or that and others, which get empty strings.
    case strings(text: Int, empty: [Int])
    /// One input of numbers, `length` of them.
    case regex(Int, RegexTokenizer, length: Int)
    /// The same, cut by SentencePiece.
    case sentencePiece(Int, SentencePieceTokenizer, length: Int)
    /// Three inputs, of `length` numbers each; nil where the model takes any number.
    case bert(BERTInputPositions, any Tokenizer, length: Int?)
  }

  private let form: Form

  /// The metadata's name of a sentence encoder's input that takes the text.
  private static let responseText = "res_text"

  /// How a model takes texts.
  ///
  /// - Parameters:
  ///   - interpreter: the model's interpreter.
  ///   - notes: what the model says about itself.
  ///   - choice: which input takes the text, of a model with several; nil for the usual one.
  /// - Throws: `TaskError` that says which rule the model breaks.
  init(
    of interpreter: Interpreter, _ notes: ModelNotes, choice: TensorChoice? = nil
  ) throws(TaskError) {
    let types = interpreter.inputs.map { $0.type?.elementType }
    guard !types.isEmpty else { throw .incompatibleModel("the model has no inputs") }
    let chosen = try choice?.position(among: interpreter.inputs, notes.inputs, kind: "input")
    if types.allSatisfy({ $0 == .string }) {
      let usual = types.count == 3 ? notes.position(of: Self.responseText, among: notes.inputs) : 0
      guard let text = chosen ?? usual else {
        throw .incompatibleModel(
          "of \(types.count) inputs of strings, none is called \(Self.responseText) in the metadata"
        )
      }
      form = .strings(text: text, empty: types.indices.filter { $0 != text })
      return
    }
    if types.count == 3, choice == nil {
      form = try Self.bert(interpreter, notes)
      return
    }
    let position = chosen ?? 0
    guard types.count == 1 || chosen != nil else {
      throw .incompatibleModel("Expected 1 or 3 input tensors, got \(types.count).")
    }
    form = try Self.words(interpreter, notes, position)
  }

  /// One input that takes a string or numbers.
  private static func words(
    _ interpreter: Interpreter, _ notes: ModelNotes, _ position: Int
  ) throws(TaskError) -> Form {
    let input = interpreter.inputs[position]
    if input.type?.elementType == .string { return .strings(text: position, empty: []) }
    guard input.type?.elementType == .int32 else {
      throw .incompatibleModel(
        "Type mismatch for input tensor \(input.name). Requested STRING or INT32, got \(input.type?.elementType.schemaName ?? "nothing")."
      )
    }
    let units =
      (notes.inputs.flatMap { $0.indices.contains(position) ? $0[position].processUnits : nil }
        ?? []) + (notes.metadata?.subgraphs.first?.inputProcessUnits ?? [])
    let open = input.shapeSignature ?? input.type?.shape.dimensions ?? []
    guard let length = open.last, length > 0, open.count <= 2,
      open.dropLast().allSatisfy({ abs($0) == 1 })
    else {
      throw .incompatibleModel("the input \(input.name) does not take one row of numbers")
    }
    switch try MetadataTokenizer(units, notes) {
    case .regex(let tokenizer): return .regex(position, tokenizer, length: length)
    case .sentencePiece(let tokenizer): return .sentencePiece(position, tokenizer, length: length)
    case .wordPiece:
      throw .incompatibleModel("a BERT tokenizer belongs to a model with three inputs")
    case nil:
      throw .incompatibleModel(TaskError.missingTokenizer)
    }
  }

  private static func bert(
    _ interpreter: Interpreter, _ notes: ModelNotes
  ) throws(TaskError) -> Form {
    let positions = try BERTInputPositions(interpreter, notes)
    let units = notes.metadata?.subgraphs.first?.inputProcessUnits ?? []
    guard let tokenizer = try MetadataTokenizer(units, notes) else {
      throw .incompatibleModel("No input process unit found from metadata.")
    }
    return .bert(positions, tokenizer.tokenizer, length: positions.length)
  }

  /// Makes `text` the interpreter's inputs.
  ///
  /// - Throws: `TaskError.input` where the tokenizer fails on it, and `.inference`.
  func feed(_ text: String, to interpreter: Interpreter) throws(TaskError) {
    switch form {
    case .strings(let position, let empty):
      try Self.set(Array(text.utf8), position, interpreter)
      for other in empty { try Self.set([], other, interpreter) }
    case .regex(let position, let tokenizer, let length):
      let ids = try tokenized { () throws(TokenizerError) in
        try RegexInputs(text, tokenizer: tokenizer, length: length).ids
      }
      try interpreter.feed(ids, position)
    case .sentencePiece(let position, let tokenizer, let length):
      let ids = try tokenized { () throws(TokenizerError) in
        try SentencePieceInputs(text, tokenizer: tokenizer, length: length).ids
      }
      try interpreter.feed(ids, position)
    case .bert(let positions, let tokenizer, let length):
      let inputs = try tokenized { () throws(TokenizerError) in
        try BertInputs(text, tokenizer: tokenizer, length: length)
      }
      try positions.feed(inputs, to: interpreter)
    }
  }

  private static func set(
    _ text: [UInt8], _ position: Int, _ interpreter: Interpreter
  ) throws(TaskError) {
    let bytes: [UInt8]
    do throws(StringTensor.Malformed) { bytes = try StringTensor.bytes(of: [text]) } catch {
      throw .input(error.description)
    }
    do throws(InferenceError) { try interpreter.setInput(position, bytes: bytes) } catch {
      throw .inference(error)
    }
  }
}

/// What `body` makes of a text, with the error of tasks.
func tokenized<Made>(_ body: () throws(TokenizerError) -> Made) throws(TaskError) -> Made {
  do throws(TokenizerError) { return try body() } catch { throw .input("\(error)") }
}

extension Interpreter {
  /// Gives an input of one row these numbers; the row gets their length.
  func feed(_ ids: [Int32], _ position: Int) throws(TaskError) {
    let rank = inputs[position].type?.shape.dimensions.count ?? 2
    do throws(InferenceError) {
      try resizeInput(position, to: rank == 1 ? [ids.count] : [1, ids.count])
      try setInput(position, ids)
    } catch {
      throw .inference(error)
    }
  }
}

extension TaskError {
  /// What is wrong with a model of tokens whose metadata names nothing that makes them of texts.
  package static let missingTokenizer = "No metadata or input process unit found."
}
