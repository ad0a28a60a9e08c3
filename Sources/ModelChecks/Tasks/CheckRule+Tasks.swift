// SPDX-License-Identifier: Apache-2.0

extension CheckRule {
  /// What a rule of tasks asks for.
  var taskSummary: String {
    switch self {
    case .fittingTask: "The task that is meant takes the model."
    case .inputMetadata: "The metadata describes as many inputs as there are."
    case .namedClasses: "The classes or categories have names."
    case .labelLocales: "Of several label files of an output, each names another language."
    case .scoreCalibration: "The parameters of a score calibration can be read, one for each class."
    case .scoreThreshold: "The score from which on results count is a number that scores reach."
    case .maskActivation: "The metadata says how confidences of masks are made, and can be read."
    case .detectionOutputs: "Boxes, classes, scores and count can be told apart before a run."
    case .outputRange: "The metadata gives the range of an image that is made."
    case .namedVectors: "The vectors that an embedder gives have names."
    case .soundFormat: "The metadata says the sample rate and the channels of the sound."
    case .soundWindow: "The model takes a known number of whole frames."
    case .tokenizer: "The metadata names the tokenizer that makes the numbers of tokens."
    case .vocabulary: "The tokenizer's files can be read."
    case .tokenInputs: "The metadata tells the inputs ids, mask and segment_ids apart."
    case .answerOutputs: "The metadata tells the outputs start_logits and end_logits apart."
    case .bundleParts: "A bundle holds all models that its task needs."
    case _: summary
    }
  }
}
