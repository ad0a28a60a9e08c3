// SPDX-License-Identifier: Apache-2.0

internal import Martlet
internal import ModelTasks
internal import VisionTasks

extension TaskRules {
  /// What the metadata says about the image that is taken.
  var imageFindings: [Finding] {
    guard let input = interface.inputs.first else { return [] }
    let location = location(ofInput: 0)
    let findsPoints = [ModelTask.faces, .hands, .pose].contains(task)
    let ownRange =
      findsPoints || interface.takesMaskBefore || interface.notes?.ultralytics != nil
    var findings: [Finding] = []
    switch ImageNormalizationProblem(input.metadata, input.elementType) {
    case .missing? where ownRange: break
    case let problem?:
      findings.append(
        finding(
          .imageNormalization, .error, problem.sentence, at: location,
          fix: adding("--mean 127.5 --std 127.5")))
    case nil: break
    }
    if case .image(let image)? = input.metadata?.content?.properties, image.colorSpace != .rgb,
      !findsPoints
    {
      findings.append(
        finding(
          .imageColors, .error, "a color space that is not RGB", at: location,
          fix: adding("--color-space rgb")))
    }
    return findings
  }

  /// Outputs of a detector that nothing tells apart.
  var detectionFindings: [Finding] {
    var findings: [Finding] = []
    let labels = interface.outputs.enumerated().flatMap { position, output in
      (output.metadata?.associatedFiles ?? []).filter {
        $0.kind == .tensorValueLabels || $0.kind == .tensorAxisLabels
      }.map { (position: position, file: $0) }
    }
    if let first = labels.first {
      findings += localeFindings(
        labels.filter { $0.position == first.position }.map(\.file),
        at: location(ofOutput: first.position))
    } else if interface.notes?.ultralytics == nil {
      findings.append(
        finding(
          .namedClasses, .warning, "no labels name what is found", fix: adding("--labels FILE")))
    }
    if interface.outputs.count == 4, !PostProcessOrder.isTold(by: interface.model) {
      findings.append(
        finding(
          .detectionOutputs, .warning,
          "only the values of a run tell boxes, classes, scores and count apart",
          fix: adding("--outputs tf1 or tf2")))
    }
    return findings
  }

  /// How masks are made.
  var maskFindings: [Finding] {
    guard interface.saysSegmentation else { return [] }
    do throws(VisionError) {
      _ = try SegmentationActivation.described(by: interface.model)
      return []
    } catch {
      return [
        finding(.maskActivation, .error, error.sentence, fix: adding("--activation softmax"))
      ]
    }
  }

  /// The range of an image that is made.
  var rangeFindings: [Finding] {
    guard let output = interface.outputs.first else { return [] }
    let location = location(ofOutput: 0)
    let fix = adding("--output-range bytes")
    guard let stats = output.metadata?.stats, let most = stats.maximum.max(),
      let least = stats.minimum.min()
    else {
      guard output.elementType == .float32 else { return [] }
      return [
        finding(
          .outputRange, .note, "the range of its numbers is taken to be that of the input",
          at: location, fix: fix)
      ]
    }
    guard least.isFinite, most.isFinite, least < most else {
      return [
        finding(.outputRange, .warning, "numbers from \(least) to \(most)", at: location, fix: fix)
      ]
    }
    return []
  }
}
