// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// An element that `REDUCE_WINDOW` combines.
package protocol WindowElement: TensorElement, Comparable, ExpressibleByIntegerLiteral {
  /// The sum; integers wrap.
  func windowSum(_ other: Self) -> Self

  /// The product; integers wrap.
  func windowProduct(_ other: Self) -> Self
}

extension WindowElement where Self: FixedWidthInteger {
  /// The sum modulo the type's range.
  package func windowSum(_ other: Self) -> Self { self &+ other }

  /// The product modulo the type's range.
  package func windowProduct(_ other: Self) -> Self { self &* other }
}

extension WindowElement where Self: BinaryFloatingPoint {
  /// The rounded sum.
  package func windowSum(_ other: Self) -> Self { self + other }

  /// The rounded product.
  package func windowProduct(_ other: Self) -> Self { self * other }
}

extension Float: WindowElement {}
extension Double: WindowElement {}
extension Int8: WindowElement {}
extension UInt8: WindowElement {}
extension Int16: WindowElement {}
extension Int32: WindowElement {}
extension Int64: WindowElement {}

/// The sum.
package struct WindowSum<Element: WindowElement>: WindowFunction {
  @inline(__always)
  package func apply(_ result: Element, _ element: Element) -> Element {
    result.windowSum(element)
  }
}

/// The product.
package struct WindowProduct<Element: WindowElement>: WindowFunction {
  @inline(__always)
  package func apply(_ result: Element, _ element: Element) -> Element {
    result.windowProduct(element)
  }
}

/// The smaller one.
package struct WindowMinimum<Element: WindowElement>: WindowFunction {
  @inline(__always)
  package func apply(_ result: Element, _ element: Element) -> Element {
    result <= element ? result : element
  }
}

/// The larger one.
package struct WindowMaximum<Element: WindowElement>: WindowFunction {
  @inline(__always)
  package func apply(_ result: Element, _ element: Element) -> Element {
    result >= element ? result : element
  }
}

/// 1 where neither is 0, else 0.
package struct WindowAll<Element: WindowElement>: WindowFunction {
  @inline(__always)
  package func apply(_ result: Element, _ element: Element) -> Element {
    result != 0 && element != 0 ? 1 : 0
  }
}

/// 0 where both are 0, else 1.
package struct WindowAny<Element: WindowElement>: WindowFunction {
  @inline(__always)
  package func apply(_ result: Element, _ element: Element) -> Element {
    result != 0 || element != 0 ? 1 : 0
  }
}
