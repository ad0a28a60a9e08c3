// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder of published models and golden outputs that tests may use; nil where there is none.
let sharedModels = ProcessInfo.processInfo.environment["MARTLET_TEST_MODELS"]
