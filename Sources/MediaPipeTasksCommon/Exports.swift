// SPDX-License-Identifier: Apache-2.0

// What code for these interfaces takes for granted.
@_exported public import Foundation
