// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
internal import ModelTasks

extension Finding {
  /// The finding for a program.
  package var json: JSON {
    .record([
      "rule": .string(rule.rawValue), "severity": .string(severity.rawValue),
      "message": .string(message), "place": location.isEmpty ? nil : .string(location),
      "fix": fix.map { .string($0) },
    ])
  }
}

extension TaskFit {
  /// The task for a program.
  package var json: JSON {
    .record([
      "task": .string(task.rawValue), "command": .string(task.command),
      "takes": .string(subject.rawValue), "reason": .string(reason),
      "part": part.map { .string($0) }, "lacks": lack.map { .string($0) },
    ])
  }
}
