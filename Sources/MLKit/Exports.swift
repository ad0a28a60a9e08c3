// SPDX-License-Identifier: Apache-2.0

// What code for these interfaces takes for granted: Foundation, the platform's types, the models'
// types that hosts and downloaders share.
@_exported public import AppleCompatibility
@_exported public import Foundation
@_exported public import ModelHosting
