// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet

/// Models of the repository, by their path in it.
enum TestModels {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func path(_ location: String) -> String { root.appendingPathComponent(location).path }

  /// The bundled digits in one number format.
  static func digits(_ format: String) throws -> Model {
    try Model(path: path("Models/digits/digits_\(format).tflite"))
  }
}
