// SPDX-License-Identifier: Apache-2.0

/// Why bytes are no npy or npz file, or values do not fit a tensor.
public struct NpyError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong and what was wanted, in one clause.
  public let reason: String
  /// The byte of the file where it shows; nil where the file as such is in order.
  public let offset: Int?

  /// An error at this location.
  public init(_ reason: String, offset: Int? = nil) {
    self.reason = reason
    self.offset = offset
  }

  /// The reason and the location.
  public var description: String {
    offset.map { "\(reason) (byte \($0))" } ?? reason
  }
}
