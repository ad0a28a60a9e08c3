// SPDX-License-Identifier: Apache-2.0

public import Tensors

/// An array as an npy file holds it: element type, shape and the values' bytes.
///
/// Whatever the file's byte order and axis order, the bytes here are little-endian and row-major.
public struct NpyArray: Sendable, Hashable {
  /// What each element is.
  public let elementType: NpyElementType
  /// The dimensions, outermost first.
  public let shape: Shape
  /// The values, little-endian, in row-major order.
  public let bytes: [UInt8]

  /// An array of these parts.
  ///
  /// - Throws: `NpyError` where the number of bytes is not what type and shape ask for.
  public init(
    _ elementType: NpyElementType, _ shape: Shape, bytes: [UInt8]
  ) throws(NpyError) {
    let (wanted, overflow) = shape.elementCount.multipliedReportingOverflow(
      by: elementType.byteCount)
    guard !overflow, bytes.count == wanted else {
      throw NpyError("\(bytes.count) bytes for \(elementType) \(shape)")
    }
    self.elementType = elementType
    self.shape = shape
    self.bytes = bytes
  }

  /// The array in the bytes of an npy file.
  ///
  /// Bytes after the data are ignored, as NumPy does.
  ///
  /// - Throws: `NpyError` where the bytes are no npy file or too few.
  public init(parsing file: Span<UInt8>) throws(NpyError) {
    let header = try NpyHeader(parsing: file)
    let available = file.count - header.dataOffset
    guard let byteCount = header.dataByteCount, byteCount <= available else {
      throw NpyError(
        "file ends early: \(available) bytes of data for \(header.elementType) \(header.shape)",
        offset: file.count)
    }
    elementType = header.elementType
    shape = header.shape
    let data = file.extracting(header.dataOffset..<header.dataOffset + byteCount)
    var bytes = unsafe data.withUnsafeBufferPointer { unsafe Array($0) }
    if header.isFortranOrder {
      bytes = Self.rowMajor(bytes, shape: shape, elementByteCount: elementType.byteCount)
    }
    if header.isBigEndian { Self.reverse(&bytes, unit: elementType.swapUnit) }
    self.bytes = bytes
  }

  /// The bytes of an npy file with this array, equal to those that NumPy writes.
  public func encoded() -> [UInt8] {
    NpyHeader.encoded(elementType, shape) + bytes
  }

  /// Column-major elements in row-major order.
  private static func rowMajor(
    _ bytes: [UInt8], shape: Shape, elementByteCount: Int
  ) -> [UInt8] {
    guard shape.rank > 1, !bytes.isEmpty else { return bytes }
    var strides = [Int](repeating: elementByteCount, count: shape.rank)
    for axis in 1..<shape.rank { strides[axis] = strides[axis - 1] * shape[axis - 1] }
    var index = [Int](repeating: 0, count: shape.rank)
    var source = 0
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    while result.count < bytes.count {
      result += bytes[source..<source + elementByteCount]
      var axis = shape.rank - 1
      index[axis] += 1
      source += strides[axis]
      while axis > 0, index[axis] == shape[axis] {
        source -= strides[axis] * shape[axis]
        index[axis] = 0
        axis -= 1
        index[axis] += 1
        source += strides[axis]
      }
    }
    return result
  }

  /// Every group of `unit` bytes back to front.
  private static func reverse(_ bytes: inout [UInt8], unit: Int) {
    guard unit > 1 else { return }
    for start in stride(from: 0, to: bytes.count, by: unit) {
      bytes[start..<start + unit].reverse()
    }
  }
}
