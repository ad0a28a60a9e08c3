// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import Martlet
internal import ModelTasks
internal import TextTasks

extension TaskRules {
  // MARK: - Sounds

  /// What the metadata says about the sound that is taken.
  var soundFindings: [Finding] {
    guard let input = interface.inputs.first else { return [] }
    let location = location(ofInput: 0)
    let fix = adding("--sample-rate 16000 --channels 1")
    guard case .audio(let audio)? = input.metadata?.content?.properties else {
      let other = input.metadata?.content?.properties != nil
      return [
        finding(
          .soundFormat, .error,
          other
            ? "the metadata says that it is no sound"
            : "the metadata does not say the sample rate and the channels",
          at: location, fix: fix)
      ]
    }
    guard audio.sampleRate > 0, audio.channels > 0 else {
      return [
        finding(
          .soundFormat, .error,
          "\(audio.sampleRate) samples in a second, \(audio.channels) channels", at: location,
          fix: fix)
      ]
    }
    guard let count = input.elementCount else {
      let fixed = input.shape.filter { $0 > 0 }.max() ?? 1
      guard fixed == 1 || fixed == audio.channels else { return [] }
      return [
        finding(
          .soundWindow, .note, "it takes any number of frames: all of a sound is one window",
          at: location)
      ]
    }
    guard count % audio.channels == 0 else {
      return [
        finding(
          .soundWindow, .error,
          "\(count) samples are no whole frames of \(audio.channels) channels", at: location,
          fix: fix)
      ]
    }
    return []
  }

  // MARK: - Texts

  /// What makes tokens of texts.
  var textFindings: [Finding] {
    guard interface.inputs.first?.elementType == .int32 else { return [] }
    let isBERT = interface.inputs.count == 3
    guard interface.inputUnits.contains(where: \.makesTokens) else {
      return [
        finding(
          .tokenizer, .error, "the metadata names no tokenizer for its numbers",
          at: isBERT ? "" : location(ofInput: 0),
          fix: adding(isBERT ? "--vocabulary vocab.txt" : "--delimiter REGEX --vocabulary FILE"))
      ]
    }
    var findings = vocabularyFindings
    let isOfGraph = (interface.subgraphMetadata?.inputProcessUnits ?? []).contains(
      where: \.makesTokens)
    if isBERT, !isOfGraph {
      findings.append(
        finding(
          .tokenizer, .error, "the tokenizer belongs to an input, not to all three",
          fix: adding("--vocabulary vocab.txt")))
    }
    let names = Set(interface.inputs.compactMap { $0.metadata?.name })
    if isBERT, names != ["ids", "mask", "segment_ids"] {
      findings.append(
        finding(
          .tokenInputs, .warning,
          "the inputs are taken to be ids, segment_ids, mask: the metadata names "
            + (names.isEmpty ? "none" : names.sorted().map(\.printable).joined(separator: ", ")),
          fix: adding("--token-inputs ids,mask,segment_ids")))
    }
    return findings
  }

  private var vocabularyFindings: [Finding] {
    do throws(TaskError) {
      try interface.model.checkTokenizer()
      return []
    } catch {
      return [
        finding(.vocabulary, .error, "\(error)", fix: adding("--vocabulary FILE"))
      ]
    }
  }

  /// Starts and ends of answers.
  var answerFindings: [Finding] {
    let names = Set(interface.outputs.compactMap { $0.metadata?.name })
    guard !names.isSuperset(of: ["start_logits", "end_logits"]) else { return [] }
    return [
      finding(
        .answerOutputs, .warning,
        "the outputs are taken to be end_logits, start_logits: the metadata does not name them",
        fix: adding("--answer-outputs end_logits,start_logits"))
    ]
  }
}
