// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// An element that sums can be made of: floats round, integers wrap.
package protocol SummedElement: TensorElement {
  /// The empty sum.
  static var zero: Self { get }

  /// The sum with `other`.
  func plus(_ other: Self) -> Self
}

extension Float: SummedElement {
  package func plus(_ other: Float) -> Float { self + other }
}

extension SummedElement where Self: FixedWidthInteger {
  /// The sum modulo the type's range.
  package func plus(_ other: Self) -> Self { self &+ other }
}

extension Int8: SummedElement {}
extension UInt8: SummedElement {}
extension Int16: SummedElement {}
extension Int32: SummedElement {}
extension Int64: SummedElement {}

extension BoolByte: SummedElement {
  package static var zero: BoolByte { BoolByte(false) }

  /// Whether either is true.
  package func plus(_ other: BoolByte) -> BoolByte { BoolByte(value || other.value) }
}
