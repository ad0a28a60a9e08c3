// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Published models, and files that belong to them: the folder that the environment variable
/// `MARTLET_TEST_MODELS` names.
package enum PublishedModels {
  /// The folder; nil where the environment names none.
  package static let folder = ProcessInfo.processInfo.environment["MARTLET_TEST_MODELS"]

  /// The path of a folder in it; nil where it is not there.
  package static func folder(_ name: String) -> String? {
    folder.map { "\($0)/\(name)" }.flatMap { path in
      FileManager.default.fileExists(atPath: path) ? path : nil
    }
  }

  /// The folder of models of tasks; nil where it is not there.
  package static let tasks = folder("tasks")

  /// Whether all files of these names are among the models of tasks.
  package static func haveTasks(_ names: String...) -> Bool { haveTasks(names) }

  /// Whether all files of these names are among the models of tasks.
  package static func haveTasks(_ names: [String]) -> Bool {
    guard let tasks else { return false }
    return names.allSatisfy { FileManager.default.fileExists(atPath: "\(tasks)/\($0)") }
  }

  /// The path of a file among the models of tasks, whether it is there or not.
  package static func task(_ name: String) -> String { "\(tasks ?? "tasks")/\(name)" }
}
