// SPDX-License-Identifier: Apache-2.0

internal import Formatting
internal import Martlet
internal import ModelTasks

/// What a task asks of a model's metadata.
struct TaskRules {
  let interface: ModelInterface
  let task: ModelTask
  let subject: TaskFit.Subject
  /// The path of the model, for commands that mend it.
  let path: String
  /// Whether the task is meant by who checks, so that refusals are errors.
  let isMeant: Bool

  /// What keeps the task from the model, or makes its answers worse.
  var findings: [Finding] {
    var findings = countFindings + subjectFindings + taskFindings + scoreFindings
    let refuses = findings.contains { $0.severity == .error }
    if !refuses, let refusal = interface.refusal(task, subject) {
      findings.insert(
        finding(.fittingTask, .error, "\(task.command) refuses it: \(refusal)"), at: 0)
    }
    return findings
  }

  private var subjectFindings: [Finding] {
    switch subject {
    case .image: imageFindings
    case .sound: soundFindings
    case .text: textFindings
    case .features: []
    }
  }

  private var taskFindings: [Finding] {
    switch task {
    case .label, .listen, .read: classFindings
    case .detect: detectionFindings
    case .segment: classFindings + maskFindings
    case .transform: rangeFindings
    case .embed: vectorFindings
    case .answer: answerFindings
    case .depth, .faces, .hands, .pose: []
    }
  }

  /// A finding, whose error is a warning where nobody asked about the task.
  func finding(
    _ rule: CheckRule, _ severity: Finding.Severity, _ message: String, at location: String = "",
    fix: String? = nil
  ) -> Finding {
    Finding(
      rule, severity == .error && !isMeant ? .warning : severity, message, at: location, fix: fix)
  }

  /// The command that adds metadata with these options.
  func adding(_ options: String) -> String {
    "martlet metadata add \(path) -o OUT.tflite --task \(task.rawValue) \(options)"
  }

  /// Where an input is.
  func location(ofInput position: Int) -> String {
    "input \(position) '\(interface.inputs[position].name.printable)'"
  }

  /// Where an output is.
  func location(ofOutput position: Int) -> String {
    "output \(position) '\(interface.outputs[position].name.printable)'"
  }

  // MARK: - All tasks

  /// Descriptions of other numbers of inputs and outputs than there are.
  private var countFindings: [Finding] {
    guard let metadata = interface.subgraphMetadata else { return [] }
    var findings: [Finding] = []
    for (rule, what, count, described) in [
      (CheckRule.inputMetadata, "input", interface.inputs.count, metadata.inputs.count),
      (.scoreMetadata, "output", interface.outputs.count, metadata.outputs.count),
    ] where described > 0 && described != count {
      findings.append(
        finding(
          rule, .error,
          "\(count) \(what)\(count == 1 ? "" : "s"), \(described) in the metadata",
          fix: "martlet metadata strip \(path) -o OUT.tflite"))
    }
    return findings
  }

  /// Thresholds and calibrations.
  private var scoreFindings: [Finding] {
    var findings: [Finding] = []
    for (position, output) in interface.outputs.enumerated() {
      guard let metadata = output.metadata else { continue }
      let location = location(ofOutput: position)
      if let threshold = metadata.scoreThreshold, !threshold.isFinite {
        findings.append(
          finding(
            .scoreThreshold, .warning, "results count from \(threshold) on", at: location,
            fix: adding("--score-threshold 0.5")))
      }
      findings += calibrationFindings(metadata, output, at: location)
    }
    return findings
  }

  private func calibrationFindings(
    _ metadata: TensorMetadata, _ output: ModelInterface.Tensor, at location: String
  ) -> [Finding] {
    let fix = adding("--score-calibration FILE")
    do throws(TaskError) {
      guard try interface.notes?.calibration(metadata) != nil,
        let file = metadata.associatedFiles.first(where: {
          $0.kind == .tensorAxisScoreCalibration
        }), let bytes = try interface.notes?.contents(of: file)
      else { return [] }
      let count = LabelMap.lines(of: bytes).count
      guard task != .detect, let classes = output.shape.last, classes > 0, classes != count else {
        return []
      }
      return [
        finding(
          .scoreCalibration, .warning, "\(count) lines for \(classes) classes", at: location,
          fix: fix)
      ]
    } catch {
      return [finding(.scoreCalibration, .error, "\(error)", at: location, fix: fix)]
    }
  }

  /// Outputs without names of their classes.
  private var classFindings: [Finding] {
    var findings: [Finding] = []
    for (position, output) in interface.outputs.enumerated() {
      guard hasClasses(output) else { continue }
      let location = location(ofOutput: position)
      let files = (output.metadata?.associatedFiles ?? []).filter { $0.kind == .tensorAxisLabels }
      if files.isEmpty, interface.notes?.ultralytics == nil {
        findings.append(
          finding(
            .namedClasses, .warning, "no labels name its \(classCount(output))", at: location,
            fix: adding("--labels FILE")))
      }
      findings += localeFindings(files, at: location)
    }
    return findings
  }

  private func classCount(_ output: ModelInterface.Tensor) -> String {
    let word = task == .segment ? "categories" : "classes"
    return output.shape.last.flatMap { $0 > 0 ? "\($0) \(word)" : nil } ?? word
  }

  /// Whether an output has values for several classes.
  private func hasClasses(_ output: ModelInterface.Tensor) -> Bool {
    guard output.elementType != .string, (output.shape.last ?? 0) != 1 else { return false }
    return task != .segment || output.isImage
  }

  /// Label files among which no language can be chosen.
  func localeFindings(_ files: [AssociatedFile], at location: String) -> [Finding] {
    let locales = files.map { $0.locale ?? "" }
    guard files.count > 1, Set(locales).count != files.count || locales.contains("") else {
      return []
    }
    return [
      finding(
        .labelLocales, .warning,
        "\(files.count) label files, whose languages are "
          + locales.map { $0.isEmpty ? "not said" : $0.printable }.joined(separator: ", "),
        at: location, fix: adding("--labels FILE --locale en --labels FILE --locale de"))
    ]
  }

  /// Vectors without names.
  private var vectorFindings: [Finding] {
    interface.outputs.indices.compactMap { position in
      guard (interface.outputs[position].metadata?.name ?? "").isEmpty else { return nil }
      return finding(
        .namedVectors, .note, "the metadata does not name the vector",
        at: location(ofOutput: position), fix: adding("--output-name embedding"))
    }
  }
}
