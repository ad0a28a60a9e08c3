// SPDX-License-Identifier: Apache-2.0

@_exported public import ModelTasks
@_exported public import Tokenizers
