// SPDX-License-Identifier: Apache-2.0

/// The earlier name of `BiplanarImage`.
@available(*, deprecated, renamed: "BiplanarImage")
public typealias BiplanarPicture = BiplanarImage

/// The earlier name of `FittedImage`.
@available(*, deprecated, renamed: "FittedImage")
public typealias FittedPicture = FittedImage

extension FittedImage {
  /// The earlier name of `image`.
  @available(*, deprecated, renamed: "image")
  public var picture: PixelBuffer { image }
}
