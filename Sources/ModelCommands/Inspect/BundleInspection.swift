// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import Martlet
import ModelChecks
import ModelTasks

/// What `martlet inspect` says of a bundle of models.
struct BundleInspection {
  private let path: String
  private let console: any Console
  private let recognition: TaskRecognition

  init(_ path: String, _ console: any Console) throws(CommandError) {
    self.path = path
    self.console = console
    let bytes = try console.read(path)
    do throws(TaskError) {
      recognition = try TaskRecognition(TaskBundle(bytes: bytes, limits: console.limits))
    } catch {
      throw .data("\(error)", location: path)
    }
  }

  /// Prints the models and the tasks.
  func show(asJSON isJSON: Bool) throws(CommandError) -> ExitCode {
    if isJSON { try console.print(document) } else { try console.print(text) }
    return .success
  }

  private var text: String {
    let rows = recognition.parts.map { part in
      ["  \(part.name.printable)", part.byteCount.byteText, part.fits.text]
    }
    let models = "\(rows.count) model\(rows.count == 1 ? "" : "s")"
    let table = rows.isEmpty ? models : models + "\n" + TextTable(rows, left: [0, 2]).text
    return ([path.printable, table] + recognition.fits.reasons).joined(separator: "\n\n")
  }

  private var document: JSON {
    [
      "schema": "martlet/inspect/1", "model": .string(path),
      "models": .array(
        recognition.parts.map { part in
          [
            "name": .string(part.name), "bytes": .integer(part.byteCount),
            "fits": .array(part.fits.map(\.json)),
          ]
        }), "fits": .array(recognition.fits.map(\.json)),
    ]
  }
}

extension [TaskFit] {
  /// A section that says which tasks a model fits, and why; none where it fits none.
  var reasons: [String] {
    guard !isEmpty else { return [] }
    let lines = map { fit in
      var words = fit.reason
      if let part = fit.part { words += "; a \(part), beside other models" }
      if let lack = fit.lack { words += "; but as it is: \(lack)" }
      return "  \(fit.task.command): \(words)".narrow
    }
    return [(["fits"] + lines).joined(separator: "\n")]
  }
}
