// SPDX-License-Identifier: Apache-2.0

import FileAccess
import JSONDocuments
import Martlet
import ModelChecks
import ModelTasks

/// `martlet check`: what would keep models from running, or products from taking them.
package enum CheckCommand {
  package static let description = CommandDescription(
    "check", "Check models before they run, also by the rules of ML Kit and MediaPipe.",
    discussion: """
      Looks at the file, at operators and their versions, types and shapes, weights, metadata and \
      labels, and says which tasks a model fits. A model is held against what the task asks that \
      its metadata tells, with warnings at most, or --task names. A .task file is checked model by \
      model. Each finding says where it is and, if known, the command that mends it. Ends in 1 \
      where there are errors; warnings and notes alone end in 0.
      """,
    arguments: [
      ArgumentDescription(
        "model", "The models.", isRepeated: true, completion: .files(["tflite", "task"]))
    ],
    options: [
      .value(
        "for", "product",
        "Apply a product's rules, too: mlkit-labeler, mlkit-object or mediapipe; may be repeated.",
        isRepeated: true, completion: .words(CheckedProduct.allCases.map(\.rawValue))),
      .value(
        "task", "task", "Hold the models against what this task asks: \(ModelTask.words).",
        completion: .words(ModelTask.allCases.map(\.rawValue))),
      .value(
        "sarif", "file", "Write the findings as SARIF here, too.",
        completion: .files(["sarif"])),
      .json,
    ]
  ) { arguments, console throws(CommandError) in
    var products: [CheckedProduct] = []
    for word in arguments.allValues("for") {
      guard let product = CheckedProduct(rawValue: word) else {
        let known = CheckedProduct.allCases.map(\.rawValue).joined(separator: ", ")
        throw arguments.usage("'\(word)' for '--for', wanted \(known)")
      }
      if !products.contains(product) { products.append(product) }
    }
    let task = try arguments.task()
    var checks: [(path: String, check: ModelCheck)] = []
    for path in arguments.allArguments("model") {
      checks.append(
        (
          path,
          try naming(path) { () throws(InferenceError) in
            try ModelCheck(modelAt: path, for: products, task: task, limits: console.limits)
          }
        ))
    }
    if let file = arguments.value("sarif") {
      do throws(FileSystemError) {
        try OutputFile.write(
          Array(
            (ModelCheck.sarif(checks.map { ($0.path, $0.check.findings) }).prettyText + "\n").utf8),
          to: file)
      } catch {
        throw .file(error)
      }
    }
    if arguments.flag("json") {
      try console.print([
        "schema": "martlet/check/1", "models": .array(checks.map { json($0.check, $0.path) }),
      ])
    } else {
      try console.print(checks.map { text($0.check, $0.path) }.joined(separator: "\n"))
    }
    return checks.allSatisfy(\.check.passes) ? .success : .failure
  }

  private static func text(_ check: ModelCheck, _ path: String) -> String {
    let fits = check.fits.isEmpty ? [] : ["  fits: \(check.fits.text)".narrow]
    guard !check.findings.isEmpty else {
      return (["\(path): no problems"] + fits).joined(separator: "\n")
    }
    let lines = check.findings.flatMap { finding in
      [
        "  \(finding.severity.rawValue) [\(finding.rule.rawValue)]: \(finding.message)".narrow,
        finding.location.isEmpty ? nil : "      at \(finding.location)".narrow,
        finding.fix.map { "      to mend it:\n" + shown(fix: $0) },
      ].compactMap(\.self)
    }
    return ([path] + fits + lines).joined(separator: "\n")
  }

  /// How a finding is mended; a command, which may have paths, on one line.
  private static func shown(fix: String) -> String {
    let line = "        \(fix)"
    return fix.hasPrefix("martlet ") ? line : line.narrow
  }

  private static func json(_ check: ModelCheck, _ path: String) -> JSON {
    [
      "model": .string(path), "passes": .bool(check.passes),
      "fits": .array(check.fits.map(\.json)),
      "findings": .array(check.findings.map(\.json)),
    ]
  }
}

extension ModelTask {
  /// The words that `--task` takes.
  static let words = allCases.map(\.rawValue).joined(separator: ", ")
}

extension ParsedArguments {
  /// The task that is meant; nil where none is said.
  func task() throws(CommandError) -> ModelTask? {
    guard let word = value("task") else { return nil }
    guard let task = ModelTask(rawValue: word) else {
      throw usage("'\(word)' for '--task', wanted \(ModelTask.words)")
    }
    return task
  }
}
