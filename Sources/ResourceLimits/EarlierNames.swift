// SPDX-License-Identifier: Apache-2.0

extension Limits {
  /// The earlier name of `imageSide`.
  @available(*, deprecated, renamed: "imageSide")
  public var pictureSide: Int {
    get { imageSide }
    set { imageSide = newValue }
  }

  /// The earlier name of `imagePixelCount`.
  @available(*, deprecated, renamed: "imagePixelCount")
  public var picturePixelCount: Int {
    get { imagePixelCount }
    set { imagePixelCount = newValue }
  }

  /// The earlier name of `imageByteCount`.
  @available(*, deprecated, renamed: "imageByteCount")
  public var pictureByteCount: Int {
    get { imageByteCount }
    set { imageByteCount = newValue }
  }
}
