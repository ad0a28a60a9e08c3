// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The folder of published models and golden outputs that tests may use; nil where there is none.
let sharedModels = PublishedModels.folder

/// The models of tasks among the test models: the folder `tasks`; nil where it is not there.
let sharedTaskModels = PublishedModels.tasks
