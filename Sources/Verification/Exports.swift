// SPDX-License-Identifier: Apache-2.0

@_exported public import Explanations
@_exported public import FileAccess
@_exported public import GoldenCases
@_exported public import ModelChecks
@_exported public import Npy
@_exported public import RunComparisons
@_exported public import Traces
