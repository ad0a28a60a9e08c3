// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The loop bounds of a pooling node.
package struct Pool2DNest: Sendable, Hashable {
  /// How the window slides.
  package var geometry: WindowGeometry
  /// Images in the batch.
  package let batchCount: Int
  /// Channels.
  package let depth: Int
}

/// The loop nest of pooling, once for all functions and number formats.
///
///     y[b, r, c, k] = finish(over taps (i, j): x[b, r·s + i − p, c·s + j − p, k])
///
/// Taps in the padding are left out, also from the count that averages divide by.
/// TFLite: `reference/pooling.h`, `integer_ops/pooling.h`.
package struct Pool2DLoop<Arithmetic: PoolArithmetic>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.pool, Arithmetic.Element.elementType) }

  /// What becomes of a window.
  package let arithmetic: Arithmetic
  /// The bounds of the loops.
  package let nest: Pool2DNest

  /// The loops of `nest` with the function of `arithmetic`.
  package init(_ arithmetic: Arithmetic, _ nest: Pool2DNest) {
    self.arithmetic = arithmetic
    self.nest = nest
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Arithmetic.Element.self)
    var output = frame.output(0, as: Arithmetic.Element.self)
    let (rows, columns, depth) = (nest.geometry.rows, nest.geometry.columns, nest.depth)
    var (index, meter) = (0, frame.workMeter)
    for batch in 0..<nest.batchCount {
      for row in 0..<rows.output {
        let rowOrigin = rows.origin(row)
        let rowTaps = rows.taps(from: rowOrigin)
        for column in 0..<columns.output {
          let columnOrigin = columns.origin(column)
          let columnTaps = columns.taps(from: columnOrigin)
          let count = rowTaps.count * columnTaps.count
          for channel in 0..<depth {
            var state = arithmetic.start
            for rowTap in rowTaps {
              let inputRow = batch * rows.input + rowOrigin + rowTap
              for columnTap in columnTaps {
                let position = inputRow * columns.input + columnOrigin + columnTap
                arithmetic.accumulate(&state, input[position * depth + channel])
              }
            }
            output[index] = arithmetic.finish(state, count: count)
            index += 1
          }
          try meter.add(count * depth)
        }
      }
    }
  }
}

/// What pooling makes of the elements of a window.
package protocol PoolArithmetic: Sendable {
  /// The elements.
  associatedtype Element: TensorElement
  /// What is known of the elements seen so far.
  associatedtype State

  /// What is known before the first element.
  var start: State { get }

  /// Takes one more element into account.
  func accumulate(_ state: inout State, _ element: Element, _ steps: inout some Steps)

  /// The result for a window of `count` elements, at least one.
  func finish(_ state: State, count: Int, _ steps: inout some Steps) -> Element
}

extension PoolArithmetic {
  /// Takes one more element into account.
  @inline(__always)
  package func accumulate(_ state: inout State, _ element: Element) {
    var steps = NoSteps()
    accumulate(&state, element, &steps)
  }

  /// The result for a window of `count` elements, at least one.
  @inline(__always)
  package func finish(_ state: State, count: Int) -> Element {
    var steps = NoSteps()
    return finish(state, count: count, &steps)
  }
}

/// `clamp(Σ x / n)`.
package struct FloatAverage: PoolArithmetic {
  package let range: ActivationRange<Float>

  package var start: Float { 0 }

  @inline(__always)
  package func accumulate(_ sum: inout Float, _ element: Float, _ steps: inout some Steps) {
    sum += steps.term(element)
  }

  @inline(__always)
  package func finish(_ sum: Float, count: Int, _ steps: inout some Steps) -> Float {
    let sum = steps.accumulator(sum, of: "elements")
    return steps.activate(steps.quotient(sum, Float(count), "mean"), range)
  }
}

/// `clamp(max x)`; NaN is never larger.
package struct FloatMaximum: PoolArithmetic {
  package let range: ActivationRange<Float>

  package var start: Float { -.greatestFiniteMagnitude }

  @inline(__always)
  package func accumulate(_ largest: inout Float, _ element: Float, _ steps: inout some Steps) {
    if largest < element { largest = element }
  }

  @inline(__always)
  package func finish(_ largest: Float, count: Int, _ steps: inout some Steps) -> Float {
    steps.activate(steps.note("maximum", "of \(count) elements", largest), range)
  }
}

/// `clamp(√(Σ x² / n))`.
package struct RootMeanSquare: PoolArithmetic {
  package let range: ActivationRange<Float>

  package var start: Float { 0 }

  @inline(__always)
  package func accumulate(_ sum: inout Float, _ element: Float, _ steps: inout some Steps) {
    sum += steps.term(element * element)
  }

  @inline(__always)
  package func finish(_ sum: Float, count: Int, _ steps: inout some Steps) -> Float {
    let sum = steps.accumulator(sum, of: "squares")
    return steps.activate(steps.squareRoot(steps.quotient(sum, Float(count), "mean")), range)
  }
}

/// `clamp(Σ x / n)` of quantized values, rounded half away from zero; no rescaling.
package struct QuantizedAverage<Element: TensorElement & FixedWidthInteger>: PoolArithmetic {
  package let range: ActivationRange<Int32>

  package var start: Int { 0 }

  /// A window has fewer elements than memory, so the sum of 16-bit quantized values fits 64 bits.
  @inline(__always)
  package func accumulate(_ sum: inout Int, _ element: Element, _ steps: inout some Steps) {
    sum &+= Int(element)
  }

  @inline(__always)
  package func finish(_ sum: Int, count: Int, _ steps: inout some Steps) -> Element {
    steps.note("sum", "of \(count) quantized values", sum)
    let average = steps.note(
      "mean", "round(\(sum) / \(count)), halves away from zero",
      (sum > 0 ? sum + count / 2 : sum - count / 2) / count)
    let quantized = steps.clamp(Int32(clamping: average), range)
    return steps.store(quantized, Element(clamping: quantized))
  }
}

/// `clamp(max x)` of quantized values.
package struct QuantizedMaximum<Element: TensorElement & FixedWidthInteger>: PoolArithmetic {
  package let range: ActivationRange<Int32>

  package var start: Element { .min }

  @inline(__always)
  package func accumulate(
    _ largest: inout Element, _ element: Element, _ steps: inout some Steps
  ) {
    largest = max(largest, element)
  }

  @inline(__always)
  package func finish(_ largest: Element, count: Int, _ steps: inout some Steps) -> Element {
    steps.note("maximum", "of \(count) quantized values", largest)
    let quantized = steps.clamp(Int32(clamping: largest), range)
    return steps.store(quantized, Element(clamping: quantized))
  }
}

/// The kernel of `Pool2DLoop`.
package typealias Pool2DKernel<Arithmetic: PoolArithmetic> = LoopKernel<Pool2DLoop<Arithmetic>>

extension LoopKernel {
  /// The loops of `nest` with the function of `arithmetic`.
  package convenience init<Arithmetic: PoolArithmetic>(_ arithmetic: Arithmetic, _ nest: Pool2DNest)
  where Loop == Pool2DLoop<Arithmetic> {
    self.init(Pool2DLoop(arithmetic, nest))
  }
}
