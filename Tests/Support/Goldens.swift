// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import GoldenCases
package import Martlet

/// The golden cases of the repository: an archive for each operator.
package enum Goldens {
  /// The folder of the archives.
  package static let folder: String = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    return tests.appendingPathComponent("Goldens").path
  }()

  /// The case that adds two float tensors.
  package static let add = path("ADD/f32_both")

  /// The operators that have cases, in alphabetical order.
  package static let operators = ((try? Folder.names(in: folder)) ?? [])
    .filter { $0.hasSuffix(".zip") }.map { String($0.dropLast(4)) }

  /// The path of a case, given as `OPERATOR/case`, or of all cases of an operator.
  package static func path(_ name: String) -> String {
    let parts = name.split(separator: "/", maxSplits: 1)
    return ([folder, "\(parts[0]).zip"] + parts.dropFirst().map(String.init))
      .joined(separator: "/")
  }

  /// The names of an operator's cases.
  package static func cases(of operatorName: String) throws -> [String] {
    let archive = path(operatorName)
    return try Folder.names(in: archive).filter { Folder.kind(of: "\(archive)/\($0)") == .folder }
  }

  /// The model of a case, given as `OPERATOR/case`.
  package static func model(_ name: String) throws -> Model {
    try Model.ofGoldens(at: "\(path(name))/model.tflite")
  }
}
