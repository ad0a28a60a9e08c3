// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
internal import Tensors

extension NpyArray {
  /// The first values in row-major order, at most `limit`: numbers, truth values, strings,
  /// complex numbers as pairs.
  ///
  /// Unsigned integers beyond the signed 64-bit range are strings of digits.
  package func jsonValues(limit: Int) -> [JSON] {
    let count = min(limit, shape.elementCount)
    if count < shape.elementCount { return elements(0..<count)?.jsonValues(limit: count) ?? [] }
    switch elementType {
    case .bool: return bytes.prefix(count).map { .bool($0 != 0) }
    case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64:
      return integers().prefix(count).map { .integer(Int($0)) }
    case .uint64:
      return integers().prefix(count).map {
        $0 >= 0 ? .integer(Int($0)) : .string("\(UInt64(bitPattern: $0))")
      }
    case .float16, .float32: return numbers().prefix(count).map { .float(Float($0)) }
    case .float64: return numbers().prefix(count).map { .number($0) }
    case .complex64, .complex128:
      let parts = numbers().prefix(2 * count)
      return stride(from: 0, to: parts.count, by: 2).map {
        .array([.number(parts[$0]), .number(parts[$0 + 1])])
      }
    case .string(let length):
      return strings(length: length).prefix(count).map {
        .string(String(decoding: $0, as: UTF8.self))
      }
    }
  }

  /// The values as real numbers, without NaN; none for strings and complex numbers.
  package var realNumbers: [Double] {
    switch elementType {
    case .bool, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64:
      integers().map(Double.init)
    case .uint64: integers().map { Double(UInt64(bitPattern: $0)) }
    case .float16, .float32, .float64: numbers().filter { !$0.isNaN }
    case .complex64, .complex128, .string: []
    }
  }
}
