// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The sum of floats, in float32 and in the order of storage.
package struct FloatSumReduction: ReductionArithmetic {
  package var empty: Float { 0 }
  package func first(_ element: Float) -> Float { element }
  package func combine(_ sum: inout Float, _ element: Float) { sum += element }
  package func finish(_ sum: Float) -> Float { sum }
}

/// The product of floats.
package struct FloatProductReduction: ReductionArithmetic {
  package var empty: Float { 1 }
  package func first(_ element: Float) -> Float { element }
  package func combine(_ product: inout Float, _ element: Float) { product *= element }
  package func finish(_ product: Float) -> Float { product }
}

/// The sum of integers modulo their range.
package struct WrappingSumReduction<Element: TensorElement & FixedWidthInteger>: ReductionArithmetic
{
  package var empty: Element { 0 }
  package func first(_ element: Element) -> Element { element }
  package func combine(_ sum: inout Element, _ element: Element) { sum &+= element }
  package func finish(_ sum: Element) -> Element { sum }
}

/// The product of integers modulo their range.
package struct WrappingProductReduction<Element: TensorElement & FixedWidthInteger>:
  ReductionArithmetic
{
  package var empty: Element { 1 }
  package func first(_ element: Element) -> Element { element }
  package func combine(_ product: inout Element, _ element: Element) { product &*= element }
  package func finish(_ product: Element) -> Element { product }
}

/// The largest or smallest element.
package struct ExtremeReduction<Element: TensorElement & Comparable>: ReductionArithmetic {
  /// Whether the largest is sought.
  package let isMaximum: Bool
  /// The result of no elements.
  package let empty: Element

  package func first(_ element: Element) -> Element { element }

  package func combine(_ extreme: inout Element, _ element: Element) {
    if isMaximum ? element > extreme : element < extreme { extreme = element }
  }

  package func finish(_ extreme: Element) -> Element { extreme }
}

/// Whether all elements are true, or any.
package struct LogicalReduction: ReductionArithmetic {
  /// Whether all must be true.
  package let isAll: Bool

  package var empty: Bool { isAll }
  package func first(_ element: BoolByte) -> Bool { element.value }

  package func combine(_ result: inout Bool, _ element: BoolByte) {
    result = isAll ? result && element.value : result || element.value
  }

  package func finish(_ result: Bool) -> BoolByte { BoolByte(result) }
}
