// SPDX-License-Identifier: Apache-2.0

// Whoever handles images also needs what decoding gives: orientations, decoded images, PNG.
@_exported public import ImageCodecs
