// SPDX-License-Identifier: Apache-2.0

import FlatBuffers

extension ProcessUnit {
  func table() throws(MetadataError) -> FlatTable {
    let (member, options): (UInt8, FlatTable) =
      switch self {
      case .normalization(let options): (1, options.table())
      case .scoreCalibration(let options): (2, options.table())
      case .scoreThresholding(let options): (3, options.table())
      case .bertTokenizer(let options): (4, try options.table())
      case .sentencePieceTokenizer(let options): (5, try options.table())
      case .regexTokenizer(let options): (6, try options.table())
      case .unknown(let number): throw .unknownPart("process unit of kind \(number)")
      }
    return FlatTable([0: .int(member), 1: .table(options)])
  }
}

extension NormalizationOptions {
  func table() -> FlatTable { FlatTable([0: .list(mean), 1: .list(standardDeviation)]) }
}

extension ScoreCalibrationOptions {
  func table() -> FlatTable {
    FlatTable([0: .int(transformation.rawValue), 1: .float(defaultScore)])
  }
}

extension ScoreThresholdingOptions {
  func table() -> FlatTable { FlatTable([0: .float(globalScoreThreshold)]) }
}

extension BertTokenizerOptions {
  func table() throws(MetadataError) -> FlatTable { FlatTable([0: try .values(vocabularyFiles)]) }
}

extension SentencePieceTokenizerOptions {
  func table() throws(MetadataError) -> FlatTable {
    FlatTable([0: try .values(modelFiles), 1: try .values(vocabularyFiles)])
  }
}

extension RegexTokenizerOptions {
  func table() throws(MetadataError) -> FlatTable {
    FlatTable([0: .text(delimiterPattern), 1: try .values(vocabularyFiles)])
  }
}
