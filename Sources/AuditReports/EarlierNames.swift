// SPDX-License-Identifier: Apache-2.0

public import Martlet

/// The earlier name of `AuditedImage`.
@available(*, deprecated, renamed: "AuditedImage")
public typealias AuditedPicture = AuditedImage

extension AuditReport {
  /// The earlier form of `init(of:fileName:image:options:)`.
  @available(*, deprecated, renamed: "init(of:fileName:image:options:)")
  public init(
    of interpreter: Interpreter, fileName: String, picture: AuditedImage,
    options: AuditOptions = AuditOptions()
  ) throws(AuditError) {
    try self.init(of: interpreter, fileName: fileName, image: picture, options: options)
  }
}
