// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import Martlet
package import ModelTasks

extension BaseOptions {
  /// The model at the path.
  package func model() throws(NSError) -> Model {
    try checkPath()
    do throws(InferenceError) { return try Model(path: modelAssetPath) } catch {
      throw TasksErrorCode.error(error)
    }
  }

  /// The bundle of models at the path.
  package func bundle() throws(NSError) -> TaskBundle {
    try checkPath()
    return try TasksErrorCode.converting { () throws(TaskError) in
      try TaskBundle(path: modelAssetPath)
    }
  }

  private func checkPath() throws(NSError) {
    guard !modelAssetPath.isEmpty else {
      throw TasksErrorCode.invalidArgumentError.status(
        "ExternalFile must specify at least one of 'file_content', 'file_name', 'file_pointer_meta' or 'file_descriptor_meta'."
      )
    }
    guard FileManager.default.fileExists(atPath: modelAssetPath) else {
      throw TasksErrorCode.notFoundError.status("Unable to open file at \(modelAssetPath)")
    }
  }
}
