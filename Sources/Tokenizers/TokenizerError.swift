// SPDX-License-Identifier: Apache-2.0

package import Protobuf

/// Why a tokenizer could not be made or could not do its work.
public enum TokenizerError: Error, Hashable, Sendable {
  /// The vocabulary has no piece.
  case emptyVocabulary
  /// The vocabulary has more bytes than allowed.
  case vocabularyTooLarge(byteCount: Int, limit: Int)
  /// The vocabulary has more pieces than allowed.
  case tooManyPieces(limit: Int)
  /// A line of the vocabulary, counted from 1, has more bytes than allowed.
  case pieceTooLong(line: Int, limit: Int)
  /// Two lines of the vocabulary, counted from 1, have the same piece.
  case duplicatePiece(line: Int, earlier: Int)
  /// A line of the vocabulary, counted from 1, is not a piece and its number.
  case malformedLine(Int)
  /// The vocabulary lacks a piece that the tokenizer cannot do without.
  case missingPiece(String)
  /// The expression at which text is split cannot be used.
  case expression(RegularExpressionError)
  /// The expression at which text is split also matches where there is nothing.
  ///
  /// The Task Library would split there forever.
  case emptyDelimiter
  /// Splitting a text takes more steps than allowed.
  case tooManySteps(limit: Int)
  /// The bytes are no SentencePiece model.
  case malformedModel(SentencePieceDefect, offset: Int)
  /// What a SentencePiece model says about a piece, counted from 0, is wrong.
  case malformedPiece(SentencePieceDefect, index: Int)
  /// The text grows beyond what is allowed when it is normalized.
  case normalizedTextTooLong(limit: Int)
  /// No piece has this number.
  case noSuchID(Int)
  /// A model takes too few tokens for what always has to be there.
  case lengthTooSmall(Int, minimum: Int)
  /// The text has more tokens than the model takes.
  case tooManyTokens(Int, limit: Int)
}

/// What is wrong with a SentencePiece model.
public enum SentencePieceDefect: String, Hashable, Sendable {
  /// A field goes beyond the end of what contains it.
  case cutOff = "a field is cut off"
  /// A field has another wire type than it should, or one that does not exist.
  case wrongWireType = "a field has a wrong wire type"
  /// The file has more bytes than allowed.
  case tooLarge = "the model is too large"
  /// A piece without text.
  case emptyPiece = "a piece is empty"
  /// A piece with more bytes than allowed.
  case pieceTooLong = "a piece is too long"
  /// A piece that was there before.
  case duplicatePiece = "a piece is there twice"
  /// A piece of an unknown kind.
  case unknownKind = "a piece is of an unknown kind"
  /// A score that is no finite number.
  case score = "a score is not finite"
  /// A piece for a byte in a model that has none, or one that names no byte.
  case bytePiece = "a piece for a byte is out of place"
  /// A model that falls back to bytes without a piece for each of them.
  case missingBytes = "pieces for bytes are missing"
  /// No piece for what is unknown.
  case missingUnknown = "the piece for unknown text is missing"
  /// A second piece for what is unknown.
  case secondUnknown = "there are two pieces for unknown text"
  /// A kind of model that does not exist.
  case unknownModel = "the kind of model is unknown"
  /// A table of replacements that cannot be right.
  case characterMap = "the table of replaced characters is broken"
}

extension TokenizerError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .emptyVocabulary: "the vocabulary has no pieces"
    case .vocabularyTooLarge(let byteCount, let limit):
      "the vocabulary has \(byteCount) bytes, more than \(limit)"
    case .tooManyPieces(let limit): "the vocabulary has more than \(limit) pieces"
    case .pieceTooLong(let line, let limit):
      "line \(line) of the vocabulary has more than \(limit) bytes"
    case .duplicatePiece(let line, let earlier):
      "line \(line) of the vocabulary has the same piece as line \(earlier)"
    case .malformedLine(let line): "line \(line) of the vocabulary is no piece and number"
    case .missingPiece(let piece): "the vocabulary has no piece \(piece.debugDescription)"
    case .expression(let error): "\(error)"
    case .emptyDelimiter: "the expression that text is split at matches where there is nothing"
    case .tooManySteps(let limit): "splitting the text takes more than \(limit) steps"
    case .malformedModel(let defect, let offset):
      "malformed SentencePiece model at byte \(offset): \(defect.rawValue)"
    case .malformedPiece(let defect, let index):
      "malformed SentencePiece model, piece \(index): \(defect.rawValue)"
    case .normalizedTextTooLong(let limit):
      "the text has more than \(limit) bytes when it is normalized"
    case .noSuchID(let id): "no piece has the number \(id)"
    case .lengthTooSmall(let length, let minimum):
      "the model takes \(length) tokens, and at least \(minimum) are needed"
    case .tooManyTokens(let count, let limit):
      "the text has \(count) tokens, and the model takes \(limit)"
    }
  }
}

extension TokenizerError: ProtobufFailure {
  /// The error for a defect of a SentencePiece model's field.
  package static func malformed(_ defect: ProtobufDefect, offset: Int) -> TokenizerError {
    switch defect {
    case .cutOff: .malformedModel(.cutOff, offset: offset)
    case .wrongWireType: .malformedModel(.wrongWireType, offset: offset)
    }
  }
}
