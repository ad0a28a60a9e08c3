// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder of published models and golden outputs that tests may use; nil where there is none.
let sharedModels = ProcessInfo.processInfo.environment["MARTLET_TEST_MODELS"]

/// The models of tasks among the test models: the folder `tasks`; nil where it is not there.
let sharedTaskModels = sharedModels.map { $0 + "/tasks" }.flatMap { folder in
  FileManager.default.fileExists(atPath: folder) ? folder : nil
}
