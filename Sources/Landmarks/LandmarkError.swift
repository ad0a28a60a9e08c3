// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// Why rectangles, anchors or landmarks cannot be computed.
public enum LandmarkError: Error, Sendable, Hashable {
  /// An option has a value outside its range.
  case invalidOption(String)
  /// A rectangle has an edge that is not finite, or no area.
  case invalidRect(String)
  /// The number of values does not fit what they are decoded as.
  case valueCount(Int, wanted: Int, of: String)
  /// An image cannot be made.
  case image(ImagingError)
}

extension LandmarkError: CustomStringConvertible {
  /// One line that says what was given and what was wanted.
  public var description: String {
    switch self {
    case .invalidOption(let text), .invalidRect(let text): text
    case .valueCount(let count, let wanted, let name):
      "\(count) values of \(name) instead of \(wanted)"
    case .image(let error): error.description
    }
  }
}

extension LandmarkError {
  /// What `body` makes, with the errors of landmarks.
  package static func wrapping<Value>(
    _ body: () throws(ImagingError) -> Value
  ) throws(LandmarkError) -> Value {
    do throws(ImagingError) { return try body() } catch { throw .image(error) }
  }
}
