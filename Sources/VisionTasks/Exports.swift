// SPDX-License-Identifier: Apache-2.0

@_exported public import ImageInputs
@_exported public import Landmarks
@_exported public import ModelTasks
@_exported public import RecognitionScores
@_exported public import Tracking
