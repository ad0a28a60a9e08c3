// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import MetadataFormat

extension ProcessUnit {
  /// The process unit that an object of a metadata document describes.
  init(_ json: JSON, at path: String) throws(JSONContentError) {
    func object(_ members: [String]) throws(JSONContentError) -> JSONObject {
      try JSONObject(json, at: path, members: ["kind"] + members)
    }
    switch json["kind"]?.string {
    case "normalization":
      let object = try object(["mean", "std"])
      self = .normalization(
        NormalizationOptions(
          mean: try object.floats("mean"), standardDeviation: try object.floats("std")))
    case "score_calibration":
      let object = try object(["transformation", "default_score"])
      let words = ScoreCalibrationOptions.Transformation.allCases.map { ("\($0)", $0) }
      self = .scoreCalibration(
        ScoreCalibrationOptions(
          transformation: try object.word("transformation", words, default: .identity),
          defaultScore: try object.float("default_score")))
    case "score_thresholding":
      self = .scoreThresholding(
        ScoreThresholdingOptions(
          globalScoreThreshold: try object(["threshold"]).float("threshold")))
    case "bert_tokenizer":
      let object = try object(["files"])
      self = .bertTokenizer(
        BertTokenizerOptions(vocabularyFiles: try object.list("files", AssociatedFile.init)))
    case "sentence_piece_tokenizer":
      let object = try object(["model_files", "files"])
      self = .sentencePieceTokenizer(
        SentencePieceTokenizerOptions(
          modelFiles: try object.list("model_files", AssociatedFile.init),
          vocabularyFiles: try object.list("files", AssociatedFile.init)))
    case "regex_tokenizer":
      let object = try object(["delimiter_pattern", "files"])
      self = .regexTokenizer(
        RegexTokenizerOptions(
          delimiterPattern: try object.text("delimiter_pattern"),
          vocabularyFiles: try object.list("files", AssociatedFile.init)))
    case "unknown": self = .unknown(try object(["number"]).integer("number"))
    case _:
      throw JSONContentError(
        reason: """
          one of normalization, score_calibration, score_thresholding, bert_tokenizer, \
          sentence_piece_tokenizer, regex_tokenizer is wanted
          """, path: "\(path).kind")
    }
  }
}
