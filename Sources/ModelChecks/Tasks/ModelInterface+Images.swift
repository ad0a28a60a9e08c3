// SPDX-License-Identifier: Apache-2.0

internal import Martlet
internal import VisionTasks

extension ModelInterface {
  /// The tasks of a model that takes one image.
  var imageFits: [TaskFit] {
    if let part = LandmarkPart.told(by: model) { return [part.fit] + detectionBeside(part) }
    guard !isHelperOfLandmarks else { return [] }
    if let fit = fit(.detect, .image, detectionReason, isSaid: saysDetections) { return [fit] }
    let isSegmenter =
      hasFile(.tensorAxisLabels) || saysSegmentation || takesMaskBefore
      || notes?.ultralytics?.task == "segment"
    if outputs.contains(where: { $0.isImage }) { return pixelFits(isSegmenter: isSegmenter) }
    let isLabeled = hasFile(.tensorAxisLabels) || notes?.ultralytics?.task == "classify"
    let label = fit(
      .label, .image,
      isLabeled
        ? "its metadata names the classes of a row of scores"
        : endsInScores ? "it ends in a row of probabilities" : "its outputs are rows of numbers",
      isSaid: isLabeled)
    guard !isLabeled || label == nil else { return [label].compactMap(\.self) }
    let embed = fit(
      .embed, .image,
      namesVectors ? "an output is called a vector" : "its outputs are rows of numbers",
      isSaid: namesVectors && subgraphMetadata != nil)
    if namesVectors { return [embed].compactMap(\.self) }
    // Metadata of a classifier would have labels.
    let isVector = subgraphMetadata != nil && !endsInScores
    return (isVector ? [embed, label] : [label, embed]).compactMap(\.self)
  }

  /// What fits beside a part with the same shapes: a box, a score and 17 key points are as many
  /// numbers as a box and 52 classes, and only notes or labels tell them apart.
  private func detectionBeside(_ part: LandmarkPart) -> [TaskFit] {
    guard part == .poseEstimator, outputs.count == 1, outputs[0].shape.count == 3,
      outputs[0].shape[1] == 56, notes?.ultralytics == nil, !hasFile(.tensorAxisLabels)
    else { return [] }
    let reason = "its shapes are also those of a detector of 52 classes, which labels would tell"
    return [fit(.detect, .image, reason)].compactMap(\.self)
  }

  /// The tasks of a model whose output is an image.
  private func pixelFits(isSegmenter: Bool) -> [TaskFit] {
    let channels = outputs.first?.shape.last ?? 0
    let segment = fit(
      .segment, .image,
      takesMaskBefore
        ? "it takes a mask beside the colors, and has two scores for each pixel"
        : isSegmenter
          ? "its metadata names the categories of an output with a value for each pixel"
          : "its output has \(channels == 1 ? "a value" : "values") for each pixel",
      isSaid: isSegmenter)
    if isSegmenter, segment != nil { return [segment].compactMap(\.self) }
    let transform = fit(
      .transform, .image, "its output is an image of \(channels) channel\(channels == 1 ? "" : "s")"
    )
    // Whole numbers are categories.
    let isReal = outputs.contains { ![.int32, .int64].contains($0.elementType) }
    let depth = isReal ? fit(.depth, .image, "its output has one number for each pixel") : nil
    // Three categories are rarer than three colors.
    return (channels == 3 ? [transform, segment, depth] : [segment, transform, depth])
      .compactMap(\.self)
  }

  /// Whether the model is one of MediaPipe's that look at a part of an image for the others, of which
  /// no task is made: the iris of an eye, and where in an image of a hand that hand lies.
  private var isHelperOfLandmarks: Bool {
    guard subgraphMetadata?.outputs.isEmpty ?? true, !endsInScores else { return false }
    let sides = inputs.first.map { Array($0.shape.dropFirst()) } ?? []
    let counts = outputs.map(\.elementCount)
    return sides == [64, 64, 3] && counts == [213, 15]
      || sides == [256, 256, 3] && counts == [4] && outputs[0].shape == [1, 1, 1, 4]
  }

  private var detectionReason: String {
    if endsInDetections { return "it ends in TFLite_Detection_PostProcess" }
    return saysDetections
      ? "its metadata tells boxes, classes and scores"
      : "the shapes of its outputs are those of a detector"
  }

  /// Whether the metadata describes boxes, or how raw ones are decoded.
  var saysDetections: Bool {
    let names = (subgraphMetadata?.customMetadata ?? []).map(\.name)
    return names.contains("DETECTOR_METADATA")
      || outputs.contains { output in
        if case .boundingBox? = output.metadata?.content?.properties { return true }
        return false
      }
  }

  /// Whether the metadata says how masks are made.
  var saysSegmentation: Bool {
    (subgraphMetadata?.customMetadata ?? []).contains {
      $0.name == SegmentationActivation.metadataName
    }
  }
}

extension LandmarkPart {
  /// What a model that is this part fits.
  var fit: TaskFit {
    let task: ModelTask =
      switch self {
      case .faceDetector, .faceMesh, .blendshapes: .faces
      case .palmDetector, .handLandmarks, .gestureEmbedder: .hands
      case .poseEstimator, .poseDetector, .poseLandmarks: .pose
      }
    let isWhole = self == .poseEstimator || self == .faceDetector
    let takesImage = self != .blendshapes && self != .gestureEmbedder
    return TaskFit(
      task, takesImage ? .image : .features, "its shapes are those of a \(rawValue)",
      part: isWhole ? nil : rawValue)
  }
}
