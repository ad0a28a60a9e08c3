// SPDX-License-Identifier: Apache-2.0

// Declares nothing: the target is there for its resource.
