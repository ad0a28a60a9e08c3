// SPDX-License-Identifier: Apache-2.0

internal import AudioTasks
internal import Martlet
internal import ModelTasks
internal import TextTasks
internal import VisionTasks

extension ModelInterface {
  /// The tasks of a model that takes sound.
  var soundFits: [TaskFit] {
    if makesSpectrograms {
      return [
        TaskFit(
          .listen, .features, "it makes rows of 32 numbers of samples, as openWakeWord's does",
          part: "model of mel spectrograms")
      ]
    }
    let isLabeled = hasFile(.tensorAxisLabels)
    var isSaid = false
    if case .audio? = inputs.first?.metadata?.content?.properties { isSaid = true }
    let reason =
      isSaid ? "its metadata says that the input is sound" : "its input can be a row of samples"
    let listen = fit(.listen, .sound, reason, isSaid: isSaid)
    let embed = fit(.embed, .sound, reason, isSaid: isSaid)
    if listen != nil, isLabeled { return [listen].compactMap(\.self) }
    return (namesVectors ? [embed] : [listen, embed]).compactMap(\.self)
  }

  /// Whether any number of samples becomes an image of 32 columns: openWakeWord's mel spectrogram.
  private var makesSpectrograms: Bool {
    inputs.count == 1 && inputs[0].elementCount == nil && outputs.count == 1
      && outputs[0].shape.count == 4 && outputs[0].shape[3] == 32
  }

  /// The tasks of a model that takes text.
  var textFits: [TaskFit] {
    let hasTokenizer = inputUnits.contains(where: \.makesTokens)
    let isLabeled = hasFile(.tensorAxisLabels)
    if looksLikeAnswers {
      let names = Set(outputs.compactMap { $0.metadata?.name })
      let isSaid = names.isSuperset(of: ["end_logits", "start_logits"])
      let lack = refusal(.answer, .text)
      let fit = TaskFit(
        .answer, .text, "three inputs and a start and an end for each token",
        lack: lack, isSaid: isSaid && hasTokenizer)
      return [fit]
    }
    let reason =
      inputs.first?.elementType == .string
      ? "its input takes strings" : "its input\(inputs.count == 1 ? " takes" : "s take") tokens"
    let read = textFit(
      .read, isLabeled ? "\(reason), its metadata names classes" : reason, isSaid: isLabeled)
    let embed = textFit(.embed, reason, isSaid: hasTokenizer && namesVectors)
    if isLabeled, let read { return [read] }
    if namesVectors, let embed { return [embed] }
    return (endsInScores || !hasTokenizer ? [read, embed] : [embed, read]).compactMap(\.self)
  }

  /// A task with texts, whose tokenizer may be missing.
  private func textFit(_ task: ModelTask, _ reason: String, isSaid: Bool) -> TaskFit? {
    let lack = refusal(task, .text)
    guard lack == nil || takesTokens else { return nil }
    return TaskFit(task, .text, reason, lack: lack, isSaid: isSaid)
  }

  /// Whether inputs are one row of numbers, or BERT's three.
  private var takesTokens: Bool {
    (inputs.count == 1 || inputs.count == 3)
      && inputs.allSatisfy { input in
        input.elementType == .int32 && (1...2).contains(input.shape.count)
          && input.shape.dropLast().allSatisfy { abs($0) == 1 } && input.shape.last != 0
      }
  }

  /// Whether there are two rows of numbers for three rows of tokens.
  private var looksLikeAnswers: Bool {
    guard inputs.count == 3, takesTokens, outputs.count == 2, let length = inputs[0].shape.last
    else { return false }
    return outputs.allSatisfy { output in
      output.elementType == .float32
        && (output.elementCount == length || output.shape.last == length)
    }
  }

  /// What a model fits that takes what other models give.
  var partFits: [TaskFit] {
    if let part = LandmarkPart.told(by: model) { return [part.fit] }
    if MicroWakeWordDetector.takes(model) {
      return [
        TaskFit(
          .listen, .features,
          "it takes rows of 40 features and remembers those before, as microWakeWord's do",
          lack: refusal(.listen, .features), isSaid: true)
      ]
    }
    guard inputs.count == 1, let input = inputs.first, input.elementType == .float32 else {
      return []
    }
    let sides = input.shape
    if sides.count == 3, sides[2] == 96, outputs.count == 1, abs(outputs[0].shape.first ?? 0) == 1 {
      return [
        TaskFit(
          .listen, .features, "its input is rows of 96 numbers, as openWakeWord's embeddings are",
          part: "classifier of wake words")
      ]
    }
    if sides.count == 4, Array(sides.suffix(3)) == [76, 32, 1] {
      return [
        TaskFit(
          .listen, .features, "its input is 76 rows of a mel spectrogram",
          part: "model of embeddings")
      ]
    }
    return []
  }
}
