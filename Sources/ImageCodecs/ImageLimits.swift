// SPDX-License-Identifier: Apache-2.0

/// What a decoder may spend on one picture, whatever the file declares.
public struct ImageLimits: Sendable, Hashable {
  /// The largest width and the largest height that is decoded.
  public var maximumSide: Int

  /// The largest width × height that is decoded.
  public var maximumPixelCount: Int

  /// The largest number of bytes that decoding may hold at once, the result included.
  public var maximumByteCount: Int

  /// Limits of 1,000,000 columns and rows, 178,956,970 pixels and 1 GiB unless told otherwise.
  public init(
    maximumSide: Int = 1_000_000, maximumPixelCount: Int = 178_956_970,
    maximumByteCount: Int = 1 << 30
  ) {
    self.maximumSide = maximumSide
    self.maximumPixelCount = maximumPixelCount
    self.maximumByteCount = maximumByteCount
  }
}
