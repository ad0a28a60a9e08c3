// SPDX-License-Identifier: Apache-2.0

@_exported public import AudioCodecs
@_exported public import AudioProcessing
@_exported public import ModelTasks
