// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

/// A step that prepares an input or finishes an output.
public enum ProcessUnit: Sendable, Equatable, MetadataTable {
  /// Values are normalized.
  case normalization(NormalizationOptions)
  /// Scores are calibrated, with parameters from an associated file.
  case scoreCalibration(ScoreCalibrationOptions)
  /// Low scores are dropped.
  case scoreThresholding(ScoreThresholdingOptions)
  /// Text is divided into BERT's word pieces.
  case bertTokenizer(BertTokenizerOptions)
  /// Text is divided by a SentencePiece model.
  case sentencePieceTokenizer(SentencePieceTokenizerOptions)
  /// Text is divided by a regular expression.
  case regexTokenizer(RegexTokenizerOptions)
  /// A step that the schema known here does not have, by its number; 0 for none.
  case unknown(Int)

  init(_ table: Table) throws(FlatBufferError) {
    let member: UInt8 = try table.scalar(0)
    guard let options = try table.table(1) else {
      self = .unknown(Int(member))
      return
    }
    self =
      switch member {
      case 1: .normalization(try NormalizationOptions(options))
      case 2: .scoreCalibration(try ScoreCalibrationOptions(options))
      case 3: .scoreThresholding(try ScoreThresholdingOptions(options))
      case 4: .bertTokenizer(try BertTokenizerOptions(options))
      case 5: .sentencePieceTokenizer(try SentencePieceTokenizerOptions(options))
      case 6: .regexTokenizer(try RegexTokenizerOptions(options))
      default: .unknown(Int(member))
      }
  }
}

/// How values are normalized: `(x - mean) / standardDeviation`.
public struct NormalizationOptions: Sendable, Equatable, MetadataTable {
  /// One mean for each channel, or one for all.
  public var mean: [Float]
  /// One divisor for each channel, or one for all.
  public var standardDeviation: [Float]

  /// A normalization by these parameters.
  public init(
    mean: [Float], standardDeviation: [Float]
  ) {
    self.mean = mean
    self.standardDeviation = standardDeviation
  }

  init(_ table: Table) throws(FlatBufferError) {
    mean = try table.floats(0) ?? []
    standardDeviation = try table.floats(1) ?? []
  }
}

/// How scores are made comparable across classes.
///
/// A class's score `x` becomes `scale / (1 + exp(-(slope g(x) + offset)))`, with parameters from
/// the associated file, or the default score where that has none.
public struct ScoreCalibrationOptions: Sendable, Equatable, MetadataTable {
  /// The function `g`.
  public var transformation: Transformation
  /// The score of classes without parameters or below their minimum.
  public var defaultScore: Float

  /// What is applied to scores before they are calibrated.
  public enum Transformation: Int8, CaseIterable, Sendable, Hashable {
    /// `g(x) = x`.
    case identity = 0
    /// `g(x) = log(x)`.
    case log = 1
    /// `g(x) = log(x) - log(1 - x)`.
    case inverseLogistic = 2
  }

  /// A calibration of these parts.
  public init(transformation: Transformation, defaultScore: Float) {
    self.transformation = transformation
    self.defaultScore = defaultScore
  }

  init(_ table: Table) throws(FlatBufferError) {
    transformation = try table.enumeration(0, default: .identity, field: "score_transformation")
    defaultScore = try table.float(1)
  }
}

/// Below which score results are dropped.
public struct ScoreThresholdingOptions: Sendable, Equatable, MetadataTable {
  /// The threshold for all classes.
  public var globalScoreThreshold: Float

  /// A threshold for all classes.
  public init(
    globalScoreThreshold: Float
  ) {
    self.globalScoreThreshold = globalScoreThreshold
  }

  init(_ table: Table) throws(FlatBufferError) {
    globalScoreThreshold = try table.float(0)
  }
}

/// What BERT's tokenizer needs.
public struct BertTokenizerOptions: Sendable, Equatable, MetadataTable {
  /// The word pieces, one per line.
  public var vocabularyFiles: [AssociatedFile]

  /// Options of a BERT tokenizer.
  public init(
    vocabularyFiles: [AssociatedFile]
  ) {
    self.vocabularyFiles = vocabularyFiles
  }

  init(_ table: Table) throws(FlatBufferError) {
    vocabularyFiles = try table.values(0, AssociatedFile.self)
  }
}

/// What a SentencePiece tokenizer needs.
public struct SentencePieceTokenizerOptions: Sendable, Equatable, MetadataTable {
  /// The SentencePiece model.
  public var modelFiles: [AssociatedFile]
  /// The pieces, one per line.
  public var vocabularyFiles: [AssociatedFile]

  /// Options of a SentencePiece tokenizer.
  public init(
    modelFiles: [AssociatedFile], vocabularyFiles: [AssociatedFile] = []
  ) {
    self.modelFiles = modelFiles
    self.vocabularyFiles = vocabularyFiles
  }

  init(_ table: Table) throws(FlatBufferError) {
    modelFiles = try table.values(0, AssociatedFile.self)
    vocabularyFiles = try table.values(1, AssociatedFile.self)
  }
}

/// What a tokenizer by regular expression needs.
public struct RegexTokenizerOptions: Sendable, Equatable, MetadataTable {
  /// The regular expression of what lies between words.
  public var delimiterPattern: String?
  /// The words and their numbers.
  public var vocabularyFiles: [AssociatedFile]

  /// Options of a tokenizer by regular expression.
  public init(
    delimiterPattern: String?, vocabularyFiles: [AssociatedFile] = []
  ) {
    self.delimiterPattern = delimiterPattern
    self.vocabularyFiles = vocabularyFiles
  }

  init(_ table: Table) throws(FlatBufferError) {
    delimiterPattern = try table.string(0)
    vocabularyFiles = try table.values(1, AssociatedFile.self)
  }
}
