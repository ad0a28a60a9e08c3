// SPDX-License-Identifier: Apache-2.0

// The models and their images are resources of this target, and not of `BundledModels`: for the
// resources of a target in Swift, SwiftPM generates code that loads Foundation.
