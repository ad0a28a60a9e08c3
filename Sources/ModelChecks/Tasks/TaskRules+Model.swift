// SPDX-License-Identifier: Apache-2.0

internal import AudioTasks
internal import Martlet
internal import ModelTasks
internal import ResourceLimits

extension TaskRules {
  /// The tasks that a model fits, and what they ask of it.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - task: the task that is meant; nil for the first that the metadata tells.
  ///   - path: what the model's file is called.
  /// - Returns: the tasks, the likeliest first, and what was found.
  static func fits(
    _ model: Model, task: ModelTask?, path: String
  ) -> (fits: [TaskFit], findings: [Finding]) {
    let interface = ModelInterface(model)
    let fits = TaskRecognition(interface).fits
    let fit = task.flatMap { task in fits.first { $0.task == task } }
    guard let meant = task ?? fits.first(where: \.isSaid)?.task else { return (fits, []) }
    if let part = fit?.part {
      let note = Finding(
        .fittingTask, .note, "it is a \(part), which \(meant.command) runs with other models")
      return (fits, [note])
    }
    guard let subject = (fit ?? fits.first { $0.task == meant })?.subject ?? interface.subject
    else {
      return (
        fits,
        [Finding(.fittingTask, .error, "\(meant.command) refuses it: the model has no input")]
      )
    }
    let rules = TaskRules(
      interface: interface, task: meant, subject: subject, path: path, isMeant: task != nil)
    guard rules.takesSubject else { return (fits, [rules.otherSubject(fits)]) }
    if fit == nil, task != nil, let refusal = interface.refusal(meant, subject) {
      // What metadata does not mend.
      let message = "\(meant.command) refuses it: \(refusal)"
      return (fits, [rules.finding(.fittingTask, .error, message, fix: rules.otherTask(fits))])
    }
    return (fits, rules.findings)
  }

  /// Whether the task takes what the model does.
  private var takesSubject: Bool {
    switch task {
    case .label, .detect, .segment, .transform, .depth, .faces, .hands, .pose: subject == .image
    case .listen: subject == .sound || MicroWakeWordDetector.takes(interface.model)
    case .read, .answer: subject == .text
    case .embed: subject != .features
    }
  }

  private func otherSubject(_ fits: [TaskFit]) -> Finding {
    finding(
      .fittingTask, .error, "\(task.command) refuses it: the model takes \(subject.words)",
      fix: otherTask(fits))
  }

  /// The command that takes the model; nil where none is known.
  private func otherTask(_ fits: [TaskFit]) -> String? {
    fits.first.map { "martlet \($0.task.command) \(path)" }
  }
}

extension ModelCheck {
  /// Checks the models of a bundle.
  init(_ bundle: TaskBundle, at path: String, task: ModelTask?) {
    do throws(TaskError) {
      let recognition = try TaskRecognition(bundle)
      var findings = recognition.missingParts
      if let task, !recognition.fits.contains(where: { $0.task == task }) {
        findings.append(
          Finding(
            .fittingTask, .error,
            "\(task.command) refuses it: the bundle is for \(recognition.fits.text)"))
      }
      for part in recognition.parts {
        let check = ModelCheck(try bundle.model(atPath: part.name), at: "\(path)/\(part.name)")
        findings += check.findings.map { finding in
          let inside = finding.location.isEmpty ? "" : " › \(finding.location)"
          // A model of a bundle is not mended by itself.
          return Finding(
            finding.rule, finding.severity, finding.message, at: "\(part.name)\(inside)")
        }
      }
      self.init(findings, fits: recognition.fits)
    } catch {
      self.init([Finding(.readableFile, .error, "\(error)")])
    }
  }
}

extension TaskRecognition {
  /// Models that the tasks of a bundle need and it lacks.
  fileprivate var missingParts: [Finding] {
    let needed: [(task: ModelTask, parts: [String])] = [
      (.faces, ["face detector", "face mesh"]), (.hands, ["palm detector", "hand landmark model"]),
      (.pose, ["pose detector", "pose landmark model"]),
    ]
    var findings: [Finding] = []
    let fitting = needed.filter { task, _ in fits.contains { $0.task == task } }
    // A bundle that fits none of them lacks something for each that it has a model of.
    for (task, names) in fitting.isEmpty ? needed : fitting {
      let all = parts.flatMap(\.fits).filter { $0.task == task }
      guard !all.isEmpty else { continue }
      let whole = all.contains { $0.part == nil } ? names.first : nil
      let found = Set(all.compactMap(\.part) + [whole].compactMap(\.self))
      if parts.count == 1, whole != nil { continue }
      for name in names where !found.contains(name) {
        findings.append(
          Finding(.bundleParts, .error, "\(task.command) needs a \(name), and the bundle has none"))
      }
    }
    return findings
  }
}

extension TaskBundle {
  /// The bundle in the file at `path`; nil where that is a model alone, or no bundle.
  static func atPath(_ path: String, limits: Limits) -> TaskBundle? {
    guard path.lowercased().hasSuffix(".task"),
      let bundle = try? TaskBundle(path: path, limits: limits), bundle.names != [""]
    else { return nil }
    return bundle
  }

  /// The model of an entry, or of an inner bundle: `hand_landmarker.task/hand_detector.tflite`.
  func model(atPath path: String) throws(TaskError) -> Model {
    guard !contains(path), let slash = path.firstIndex(of: "/") else { return try model(path) }
    return try bundle(String(path[..<slash])).model(
      atPath: String(path[path.index(after: slash)...]))
  }
}
