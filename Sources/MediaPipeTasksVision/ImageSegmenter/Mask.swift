// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Imaging

/// What the values of a mask are.
public enum MaskDataType: UInt, Sendable {
  /// Categories, or confidences from 0 to 255.
  case uInt8
  /// Confidences from 0 to 1.
  case float32
}

/// One value for each pixel of an image, row by row from the top.
///
/// The values can be read in either type; those of the other type are made when they are first
/// asked for. Pointers are good as long as the mask is.
public final class Mask: NSObject, NSCopying, @unchecked Sendable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// What the values are.
  public let dataType: MaskDataType
  private let count: Int
  private let lock = NSLock()
  /// Only touched under the lock, as the one below.
  private var bytes: FixedMemory<UInt8>?
  private var floats: FixedMemory<Float>?

  /// A mask of categories or confidences as bytes, row by row; nil for a size that is none.
  ///
  /// - Parameters:
  ///   - uint8Data: the values, as many as the mask has pixels.
  ///   - width: columns.
  ///   - height: rows.
  ///   - shouldCopy: whether the mask has a copy of the values, rather than the caller's, which must
  ///     outlive it.
  public init?(uint8Data: UnsafePointer<UInt8>, width: Int, height: Int, shouldCopy: Bool) {
    guard let count = Self.count(width, height) else { return nil }
    (self.width, self.height, self.count) = (width, height, count)
    dataType = .uInt8
    bytes = unsafe FixedMemory(uint8Data, count: count, copies: shouldCopy)
  }

  /// A mask of confidences, row by row; nil for a size that is none.
  ///
  /// - Parameters:
  ///   - float32Data: the values, as many as the mask has pixels.
  ///   - width: columns.
  ///   - height: rows.
  ///   - shouldCopy: whether the mask has a copy of the values, rather than the caller's, which must
  ///     outlive it.
  public init?(float32Data: UnsafePointer<Float>, width: Int, height: Int, shouldCopy: Bool) {
    guard let count = Self.count(width, height) else { return nil }
    (self.width, self.height, self.count) = (width, height, count)
    dataType = .float32
    floats = unsafe FixedMemory(float32Data, count: count, copies: shouldCopy)
  }

  /// A mask of categories.
  init(_ mask: CategoryMask) {
    (width, height, count) = (mask.width, mask.height, mask.categories.count)
    dataType = .uInt8
    bytes = FixedMemory(mask.categories)
  }

  /// A mask of confidences.
  init(_ mask: ConfidenceMask) {
    (width, height, count) = (mask.width, mask.height, mask.values.count)
    dataType = .float32
    floats = FixedMemory(mask.values)
  }

  private static func count(_ width: Int, _ height: Int) -> Int? {
    guard width > 0, height > 0 else { return nil }
    let (count, overflows) = width.multipliedReportingOverflow(by: height)
    return overflows ? nil : count
  }

  /// The values as bytes; confidences times 255, cut off after the point.
  public var uint8Data: UnsafePointer<UInt8> {
    lock.lock()
    defer { lock.unlock() }
    if let bytes { return unsafe bytes.pointer }
    let made = FixedMemory((floats?.array(count) ?? []).map { Self.byte($0) })
    bytes = made
    return unsafe made.pointer
  }

  /// A confidence times 255, cut off after the point; 0 of what is no number.
  private static func byte(_ confidence: Float) -> UInt8 {
    confidence.isNaN ? 0 : UInt8(min(max(confidence * 255, 0), 255))
  }

  /// The values as 32-bit floats; bytes divided by 255.
  public var float32Data: UnsafePointer<Float> {
    lock.lock()
    defer { lock.unlock() }
    if let floats { return unsafe floats.pointer }
    let made = FixedMemory((bytes?.array(count) ?? []).map { Float($0) / 255 })
    floats = made
    return unsafe made.pointer
  }

  /// A mask with a copy of the values.
  public func copy(with zone: NSZone? = nil) -> Any {
    switch dataType {
    case .uInt8:
      unsafe Mask(uint8Data: uint8Data, width: width, height: height, shouldCopy: true) ?? self
    case .float32:
      unsafe Mask(float32Data: float32Data, width: width, height: height, shouldCopy: true) ?? self
    }
  }
}
