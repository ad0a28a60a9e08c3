// SPDX-License-Identifier: Apache-2.0

import Martlet

/// What one element of an input or output is.
public enum ModelElementType: UInt, Sendable {
  /// Not given.
  case unknown = 0
  /// A 32-bit floating-point number.
  case float32 = 1
  /// A 32-bit signed integer.
  case int32 = 2
  /// An 8-bit unsigned integer.
  case uInt8 = 3
  /// A 64-bit signed integer.
  case int64 = 4

  /// The same type by the engine's name; nil for `unknown`.
  var elementType: ElementType? {
    switch self {
    case .unknown: nil
    case .float32: .float32
    case .int32: .int32
    case .uInt8: .uint8
    case .int64: .int64
    }
  }
}
