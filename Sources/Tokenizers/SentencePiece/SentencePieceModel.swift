// SPDX-License-Identifier: Apache-2.0

import Protobuf

/// What a `.model` file of SentencePiece says: the fields of `sentencepiece_model.proto` that
/// encoding and decoding need.
struct SentencePieceModel {
  /// Bytes of a file.
  static let byteLimit = 32 << 20

  /// How text is cut.
  enum Kind: Int {
    case unigram = 1
    case bytePairs = 2
    case words = 3
    case characters = 4
  }

  /// What a piece is for.
  enum PieceKind: Int {
    case normal = 1
    case unknown = 2
    case control = 3
    case userDefined = 4
    case unused = 5
    case byte = 6

    /// Whether the piece is looked for in texts.
    var isInText: Bool { self == .normal || self == .userDefined || self == .unused }
  }

  /// A piece.
  struct Piece {
    var text: ArraySlice<UInt8> = []
    var score: Float = 0
    var kind = PieceKind.normal
  }

  /// `NormalizerSpec`.
  struct Normalization {
    var characterMap: ArraySlice<UInt8> = []
    var addsDummyPrefix = true
    var removesExtraSpaces = true
    var escapesSpaces = true
  }

  var pieces: [Piece] = []
  var kind = Kind.unigram
  var treatsSpaceAsSuffix = false
  var fallsBackToBytes = false
  var unknownSurface: ArraySlice<UInt8> = [0x20, 0xE2, 0x81, 0x87, 0x20]
  var bosPiece: ArraySlice<UInt8> = ArraySlice("<s>".utf8)
  var eosPiece: ArraySlice<UInt8> = ArraySlice("</s>".utf8)
  var padPiece: ArraySlice<UInt8> = ArraySlice("<pad>".utf8)
  var normalization = Normalization()
  var denormalization: Normalization?

  /// The model in a file's bytes.
  init(_ bytes: [UInt8]) throws(TokenizerError) {
    guard bytes.count <= Self.byteLimit else { throw .malformedModel(.tooLarge, offset: 0) }
    var reader = ProtobufReader<TokenizerError>(bytes, bytes.indices)
    while let (field, value, offset) = try reader.next() {
      switch field {
      case 1:
        guard pieces.count < VocabularyFile.pieceLimit else {
          throw .tooManyPieces(limit: VocabularyFile.pieceLimit)
        }
        pieces.append(
          try Self.piece(bytes, try value.range(at: offset), index: pieces.count))
      case 2: try readTraining(bytes, try value.range(at: offset))
      case 3: try Self.read(&normalization, bytes, try value.range(at: offset))
      case 5:
        var read = denormalization ?? Normalization()
        try Self.read(&read, bytes, try value.range(at: offset))
        denormalization = read
      default: continue
      }
    }
  }

  private static func piece(
    _ bytes: [UInt8], _ range: Range<Int>, index: Int
  ) throws(TokenizerError) -> Piece {
    var piece = Piece()
    var reader = ProtobufReader<TokenizerError>(bytes, range)
    while let (field, value, offset) = try reader.next() {
      switch field {
      case 1: piece.text = bytes[try value.range(at: offset)]
      case 2: piece.score = try value.float(at: offset)
      case 3:
        guard let kind = PieceKind(rawValue: try value.int32(at: offset)) else {
          throw .malformedPiece(.unknownKind, index: index)
        }
        piece.kind = kind
      default: continue
      }
    }
    return piece
  }

  private mutating func readTraining(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(TokenizerError) {
    var reader = ProtobufReader<TokenizerError>(bytes, range)
    while let (field, value, offset) = try reader.next() {
      switch field {
      case 3:
        guard let kind = Kind(rawValue: try value.int32(at: offset)) else {
          throw .malformedModel(.unknownModel, offset: offset)
        }
        self.kind = kind
      case 24: treatsSpaceAsSuffix = try value.bool(at: offset)
      case 35: fallsBackToBytes = try value.bool(at: offset)
      case 44: unknownSurface = bytes[try value.range(at: offset)]
      case 46: bosPiece = bytes[try value.range(at: offset)]
      case 47: eosPiece = bytes[try value.range(at: offset)]
      case 48: padPiece = bytes[try value.range(at: offset)]
      default: continue
      }
    }
  }

  private static func read(
    _ normalization: inout Normalization, _ bytes: [UInt8], _ range: Range<Int>
  ) throws(TokenizerError) {
    var reader = ProtobufReader<TokenizerError>(bytes, range)
    while let (field, value, offset) = try reader.next() {
      switch field {
      case 2: normalization.characterMap = bytes[try value.range(at: offset)]
      case 3: normalization.addsDummyPrefix = try value.bool(at: offset)
      case 4: normalization.removesExtraSpaces = try value.bool(at: offset)
      case 5: normalization.escapesSpaces = try value.bool(at: offset)
      default: continue
      }
    }
  }
}
