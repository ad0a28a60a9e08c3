// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// How two elements become one.
///
/// StableHLO gives such a computation as a subgraph; as TFLite does, it is recognized by the
/// subgraph's only operator.
package enum Combination: Sendable, Hashable {
  /// The second element.
  case replacement
  /// The sum; of truth values, whether either is true.
  case sum
  /// The product; of truth values, whether both are true.
  case product
  /// The greater; see `CombinedElement` for ties.
  case maximum
  /// The lesser.
  case minimum
  /// The bits that both have.
  case bitwiseAnd
}

/// An element that `Combination` is defined for.
///
/// Integers wrap. `maximum` and `minimum` are C++'s `std::max` and `std::min`: the first element
/// stays unless the second is truly beyond it, so that a NaN in the second is passed over and one
/// in the first stays.
package protocol CombinedElement: TensorElement {
  /// The sum.
  func sum(_ other: Self) -> Self
  /// The product.
  func product(_ other: Self) -> Self
  /// The bits that both have; not used of floats.
  func common(_ other: Self) -> Self
  /// Whether this is less than `other`.
  func precedes(_ other: Self) -> Bool
}

extension CombinedElement {
  /// What `combination` makes of this element and `other`.
  @inline(__always)
  package func combined(
    _ combination: Combination, with other: Self, _ steps: inout some Steps
  ) -> Self {
    let result =
      switch combination {
      case .replacement: other
      case .sum: sum(other)
      case .product: product(other)
      case .maximum: precedes(other) ? other : self
      case .minimum: other.precedes(self) ? other : self
      case .bitwiseAnd: common(other)
      }
    return steps.note(
      combination == .bitwiseAnd ? "common bits" : "\(combination)", "of \(self) and \(other)",
      element: result)
  }
}

extension CombinedElement where Self: FixedWidthInteger {
  @inline(__always)
  package func sum(_ other: Self) -> Self { self &+ other }
  @inline(__always)
  package func product(_ other: Self) -> Self { self &* other }
  @inline(__always)
  package func common(_ other: Self) -> Self { self & other }
  @inline(__always)
  package func precedes(_ other: Self) -> Bool { self < other }
}

extension CombinedElement where Self: BinaryFloatingPoint {
  @inline(__always)
  package func sum(_ other: Self) -> Self { self + other }
  @inline(__always)
  package func product(_ other: Self) -> Self { self * other }
  @inline(__always)
  package func common(_ other: Self) -> Self { self }
  @inline(__always)
  package func precedes(_ other: Self) -> Bool { self < other }
}

extension Int8: CombinedElement {}
extension UInt8: CombinedElement {}
extension Int16: CombinedElement {}
extension UInt16: CombinedElement {}
extension Int32: CombinedElement {}
extension UInt32: CombinedElement {}
extension Int64: CombinedElement {}
extension UInt64: CombinedElement {}
extension Float: CombinedElement {}
extension Double: CombinedElement {}
#if !(os(macOS) && arch(x86_64))
  extension Float16: CombinedElement {}
#endif

extension BoolByte: CombinedElement {
  @inline(__always)
  package func sum(_ other: BoolByte) -> BoolByte { BoolByte(value || other.value) }
  @inline(__always)
  package func product(_ other: BoolByte) -> BoolByte { BoolByte(value && other.value) }
  @inline(__always)
  package func common(_ other: BoolByte) -> BoolByte { BoolByte(value && other.value) }
  @inline(__always)
  package func precedes(_ other: BoolByte) -> Bool { !value && other.value }
}

/// A loop that exists for every element that can be combined.
protocol CombinedElementLoops {
  /// The kernel for elements of this type.
  func kernel<Element: CombinedElement>(of type: Element.Type) -> any Kernel
}

extension CombinedElementLoops {
  /// The kernel for elements of `type`, the type of the tensor named.
  ///
  /// - Throws: `KernelError` for a type that has no sum.
  func kernel(
    _ type: ElementType, _ tensor: KernelError.Tensor = .input(0)
  ) throws(KernelError) -> any Kernel {
    switch type {
    case .float32: kernel(of: Float.self)
    case .float16: kernel(of: Float16.self)
    case .float64: kernel(of: Double.self)
    case .int8: kernel(of: Int8.self)
    case .uint8: kernel(of: UInt8.self)
    case .int16: kernel(of: Int16.self)
    case .uint16: kernel(of: UInt16.self)
    case .int32: kernel(of: Int32.self)
    case .uint32: kernel(of: UInt32.self)
    case .int64: kernel(of: Int64.self)
    case .uint64: kernel(of: UInt64.self)
    case .bool: kernel(of: BoolByte.self)
    case let other: throw .elementType(other, tensor)
    }
  }
}
