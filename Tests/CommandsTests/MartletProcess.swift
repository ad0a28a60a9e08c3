// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The `martlet` executable beside the tests.
enum MartletProcess {
  /// Where it is; nil where it was not built.
  static let executable = built("martlet")

  /// Where the executable of this name is that was built with the tests; nil where it was not.
  static func built(_ name: String) -> String? {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let path = folder.appendingPathComponent(name).path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  /// The environment in which it finds the bundled models.
  static var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["MARTLET_MODELS": models]) { own, _ in own }
  }

  /// The folder of the bundled models.
  static let models = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Models").path
}
