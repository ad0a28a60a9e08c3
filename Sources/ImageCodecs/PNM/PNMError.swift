// SPDX-License-Identifier: Apache-2.0

/// Why a file is not a PBM, PGM or PPM that can be decoded, and where.
public struct PNMError: Error, Sendable, Hashable {
  /// What is wrong.
  public let reason: Reason

  /// The byte of the file at which it was found.
  public let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// What can be wrong with such a file.
  public enum Reason: Sendable, Hashable {
    /// The first two bytes are not `P1` to `P6`.
    case signature
    /// The file ends inside its header or pixels.
    case truncated
    /// Something that is no number stands where one is due.
    case number
    /// Width or height is 0.
    case size(width: Int, height: Int)
    /// The largest value of a sample is not 1 to 65535.
    case largestSample(Int)
    /// A sample is larger than the largest value.
    case sample(Int, largest: Int)
    /// The image would take more pixels or bytes than the limits allow.
    case tooLarge(width: Int, height: Int)
  }
}

extension PNMError: CustomStringConvertible {
  /// One line, such as `the file ends early at byte 41`.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension PNMError.Reason: CustomStringConvertible {
  /// The reason alone, without its location.
  public var description: String {
    switch self {
    case .signature: "not a PBM, PGM or PPM file"
    case .truncated: "the file ends early"
    case .number: "no number where one is due"
    case .size(let width, let height): "impossible size \(width)x\(height)"
    case .largestSample(let value): "largest sample \(value), wanted 1 to 65535"
    case .sample(let value, let largest): "sample \(value) of at most \(largest)"
    case .tooLarge(let width, let height): "size \(width)x\(height) beyond the limits"
    }
  }
}
