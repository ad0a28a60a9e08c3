// SPDX-License-Identifier: Apache-2.0

/// Something that checking a model brought to light.
public struct Finding: Sendable, Equatable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The model does not run, or the product refuses it.
    case error
    /// The model runs, but may not do what is expected.
    case warning
    /// Worth knowing.
    case note
  }

  /// What was looked at.
  public let rule: CheckRule
  /// How bad it is.
  public let severity: Severity
  /// What is wrong, in a sentence.
  public let message: String
  /// Where in the model, such as `subgraph 0 › operator 3 CONV_2D`; empty for all of it.
  public let location: String
  /// A command or a step that mends it; nil where none is known.
  public let fix: String?

  /// A finding.
  package init(
    _ rule: CheckRule, _ severity: Severity, _ message: String, at location: String = "",
    fix: String? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.message = message
    self.location = location
    self.fix = fix
  }
}

/// What checking looks at; the raw value is the name that programs know.
public enum CheckRule: String, CaseIterable, Sendable {
  case readableFile = "file-readable"
  case knownOperator = "operator-known"
  case operatorVersion = "operator-version"
  case preparedGraph = "graph-prepared"
  case fixedShapes = "shapes-fixed"
  case ownAxis = "quantized-dimension"
  case finiteWeights = "weights-finite"
  case readableMetadata = "metadata-readable"
  case labelCount = "label-count"
  case singleInput = "single-input"
  case imageShape = "picture-shape"
  case imageType = "picture-type"
  case imageNormalization = "picture-normalization"
  case imageColors = "picture-colors"
  case scoreShape = "score-shape"
  case scoreType = "score-type"
  case scoreMetadata = "score-metadata"
  case finiteActivations = "activations-finite"
  case saturatedActivations = "activations-in-range"
  case constantChannels = "channels-lively"
  case quantizationError = "quantization-error"
  case agreeingKernels = "kernels-agree"
  case repeatableRuns = "runs-repeat"
  case fittingTask = "task-fits"
  case inputMetadata = "input-metadata"
  case namedClasses = "classes-named"
  case labelLocales = "label-locales"
  case scoreCalibration = "score-calibration"
  case scoreThreshold = "score-threshold"
  case maskActivation = "mask-activation"
  case detectionOutputs = "detection-outputs"
  case outputRange = "output-range"
  case namedVectors = "vectors-named"
  case soundFormat = "sound-format"
  case soundWindow = "sound-window"
  case tokenizer
  case vocabulary
  case tokenInputs = "token-inputs"
  case answerOutputs = "answer-outputs"
  case bundleParts = "bundle-parts"

  /// What the rule asks for.
  public var summary: String {
    switch self {
    case .readableFile: "The file is a well-formed TensorFlow Lite model."
    case .knownOperator: "Every operator has a kernel."
    case .operatorVersion: "Every operator's version is one that its kernel computes."
    case .preparedGraph: "Types and shapes of all nodes fit together."
    case .fixedShapes: "All shapes are known before the model runs."
    case .ownAxis: "The quantized dimension of a tensor is one of its own."
    case .finiteWeights: "Weights are numbers: neither NaN nor infinite."
    case .readableMetadata: "The metadata and the files it names can be read."
    case .labelCount: "There is one label for each class."
    case .singleInput: "The model has a single input."
    case .imageShape: "The input is one image of three channels: 1 × height × width × 3."
    case .imageType: "The input is UINT8 or FLOAT32."
    case .imageNormalization: "The metadata says how float images are normalized."
    case .imageColors: "The metadata's color space is RGB."
    case .scoreShape: "Outputs are one row of scores: 1 × n or 1 × 1 × 1 × n."
    case .scoreType: "Outputs are UINT8 or FLOAT32, all quantized or none."
    case .scoreMetadata: "The metadata describes as many outputs as there are."
    case .finiteActivations: "What nodes compute are numbers: neither NaN nor infinite."
    case .saturatedActivations: "Few quantized values end at the limits of their type."
    case .constantChannels: "Channels differ from position to position."
    case .quantizationError: "Quantized nodes compute nearly what they would in float32."
    case .agreeingKernels: "Reference and optimized kernels agree."
    case .repeatableRuns: "Equal inputs give equal bits, with any number of threads."
    case _: taskSummary
    }
  }
}

/// A product whose rules a model can be held against.
public enum CheckedProduct: String, CaseIterable, Sendable {
  /// ML Kit's image labeling with a custom model.
  case mlKitLabeler = "mlkit-labeler"
  /// The classifier of ML Kit's object detection with a custom model.
  case mlKitObject = "mlkit-object"
  /// MediaPipe's and the TensorFlow Lite Task Library's image classifier.
  case mediaPipe = "mediapipe"

  /// The name for people.
  public var title: String {
    switch self {
    case .mlKitLabeler: "ML Kit's image labeling"
    case .mlKitObject: "ML Kit's object detection"
    case .mediaPipe: "MediaPipe's image classifier"
    }
  }
}
