// SPDX-License-Identifier: Apache-2.0

/// The masks of what a user points at in an image.
public typealias InteractiveSegmenterLegacyResult = ImageSegmenterResult
