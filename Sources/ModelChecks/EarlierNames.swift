// SPDX-License-Identifier: Apache-2.0

extension CheckRule {
  /// The earlier name of `imageShape`.
  @available(*, deprecated, renamed: "imageShape")
  public static var pictureShape: CheckRule { .imageShape }

  /// The earlier name of `imageType`.
  @available(*, deprecated, renamed: "imageType")
  public static var pictureType: CheckRule { .imageType }

  /// The earlier name of `imageNormalization`.
  @available(*, deprecated, renamed: "imageNormalization")
  public static var pictureNormalization: CheckRule { .imageNormalization }

  /// The earlier name of `imageColors`.
  @available(*, deprecated, renamed: "imageColors")
  public static var pictureColors: CheckRule { .imageColors }
}

extension Finding {
  /// The earlier name of `location`.
  @available(*, deprecated, renamed: "location")
  public var place: String { location }
}
