// SPDX-License-Identifier: Apache-2.0

// What Apple's stores want to know of the package is a resource of this target, on which every library depends, so
// that every app with one of them has it. For the resources of a target in Swift, SwiftPM generates code that loads
// Foundation. Targets that much else waits for do not depend on it: a build turns to C when no Swift is ready.
