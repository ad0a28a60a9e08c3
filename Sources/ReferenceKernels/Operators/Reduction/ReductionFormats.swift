// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The sum of floats, in float32 and in the order of storage.
package struct FloatSumReduction: ReductionArithmetic {
  package var empty: Float { 0 }
  package func first(_ element: Float, _ steps: inout some Steps) -> Float { element }
  package func combine(_ sum: inout Float, _ element: Float, _ steps: inout some Steps) {
    sum += element
  }
  package func finish(_ sum: Float, _ steps: inout some Steps) -> Float {
    steps.note("sum", "of all elements, in this order", element: sum)
  }
}

/// The product of floats.
package struct FloatProductReduction: ReductionArithmetic {
  package var empty: Float { 1 }
  package func first(_ element: Float, _ steps: inout some Steps) -> Float { element }
  package func combine(_ product: inout Float, _ element: Float, _ steps: inout some Steps) {
    product *= element
  }
  package func finish(_ product: Float, _ steps: inout some Steps) -> Float {
    steps.note("product", "of all elements, in this order", element: product)
  }
}

/// The sum of integers modulo their range.
package struct WrappingSumReduction<Element: TensorElement & FixedWidthInteger>: ReductionArithmetic
{
  package var empty: Element { 0 }
  package func first(_ element: Element, _ steps: inout some Steps) -> Element { element }
  package func combine(_ sum: inout Element, _ element: Element, _ steps: inout some Steps) {
    sum &+= element
  }
  package func finish(_ sum: Element, _ steps: inout some Steps) -> Element {
    steps.note("sum", "of all elements, in this order", element: sum)
  }
}

/// The product of integers modulo their range.
package struct WrappingProductReduction<Element: TensorElement & FixedWidthInteger>:
  ReductionArithmetic
{
  package var empty: Element { 1 }
  package func first(_ element: Element, _ steps: inout some Steps) -> Element { element }
  package func combine(_ product: inout Element, _ element: Element, _ steps: inout some Steps) {
    product &*= element
  }
  package func finish(_ product: Element, _ steps: inout some Steps) -> Element {
    steps.note("product", "of all elements, in this order", element: product)
  }
}

/// The largest or smallest element.
package struct ExtremeReduction<Element: TensorElement & Comparable>: ReductionArithmetic {
  /// Whether the largest is sought.
  package let isMaximum: Bool
  /// The result of no elements.
  package let empty: Element

  package func first(_ element: Element, _ steps: inout some Steps) -> Element { element }

  package func combine(_ extreme: inout Element, _ element: Element, _ steps: inout some Steps) {
    if isMaximum ? element > extreme : element < extreme { extreme = element }
  }

  package func finish(_ extreme: Element, _ steps: inout some Steps) -> Element {
    steps.note(isMaximum ? "maximum" : "minimum", "of all elements", element: extreme)
  }
}

/// Whether all elements are true, or any.
package struct LogicalReduction: ReductionArithmetic {
  /// Whether all must be true.
  package let isAll: Bool

  package var empty: Bool { isAll }
  package func first(_ element: BoolByte, _ steps: inout some Steps) -> Bool { element.value }

  package func combine(_ result: inout Bool, _ element: BoolByte, _ steps: inout some Steps) {
    result = isAll ? result && element.value : result || element.value
  }

  package func finish(_ result: Bool, _ steps: inout some Steps) -> BoolByte {
    steps.note(isAll ? "all" : "any", "of all elements", element: BoolByte(result))
  }
}
