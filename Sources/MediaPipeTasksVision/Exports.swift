// SPDX-License-Identifier: Apache-2.0

@_exported public import AppleCompatibility
@_exported public import MediaPipeTasksCommon
