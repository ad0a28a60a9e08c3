// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The elements of a window, one by one.
///
/// Maximum and minimum take the second operand where neither is beyond the other, so that a NaN
/// is replaced by what comes after it. Conjunction and disjunction of numbers ask whether they are
/// not 0, and give 1 or 0.
package struct WindowArithmetic<Element>: ReductionArithmetic
where Element: CombinedElement & Comparable & ExpressibleByIntegerLiteral {
  /// How two elements become one.
  let function: WindowFunction

  package var empty: Element { 0 }

  @inline(__always)
  package func first(_ element: Element, _ steps: inout some Steps) -> Element { element }

  @inline(__always)
  package func combine(_ result: inout Element, _ element: Element, _ steps: inout some Steps) {
    result =
      switch function {
      case .sum: result.sum(element)
      case .product: result.product(element)
      case .maximum: result >= element ? result : element
      case .minimum: result <= element ? result : element
      case .all: result != 0 && element != 0 ? 1 : 0
      case .any: result != 0 || element != 0 ? 1 : 0
      }
  }

  @inline(__always)
  package func finish(_ result: Element, _ steps: inout some Steps) -> Element {
    steps.note("\(function)", "of the start and the elements of the window", element: result)
  }
}

/// The loop of `REDUCE_WINDOW` and `STABLEHLO_REDUCE_WINDOW`.
package struct WindowReductionLoop<Arithmetic: ReductionArithmetic>: KernelLoop {
  /// How elements are combined.
  package let arithmetic: Arithmetic
  /// The windows.
  package let reduction: WindowReduction

  /// The combination of the elements of each window by `arithmetic`.
  package init(_ arithmetic: Arithmetic, _ reduction: WindowReduction) {
    self.arithmetic = arithmetic
    self.reduction = reduction
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Arithmetic.Input.self)
    let start = frame.input(1, as: Arithmetic.Input.self)[0]
    var output = frame.output(0, as: Arithmetic.Output.self)
    guard !output.isEmpty else { return }
    guard let padding = reduction.padding else {
      try reduce(input, from: start, into: &output, frame.workMeter)
      return
    }
    var padded = frame.scratch(0, as: Arithmetic.Input.self)
    for index in 0..<padding.shape.elementCount { padded[index] = start }
    padding.box.copy(input, into: &padded)
    try reduce(padded.span, from: start, into: &output, frame.workMeter)
  }

  @_lifetime(output: copy output)
  private func reduce(
    _ input: Span<Arithmetic.Input>, from start: Arithmetic.Input,
    into output: inout MutableSpan<Arithmetic.Output>, _ meter: consuming WorkMeter
  ) throws(KernelError) {
    let axes = reduction.axes
    let windowCount = axes.reduce(1) { $0 * $1.window }
    guard let innermost = axes.last else { return }
    var windows = StridedWalk(axes.map { ($0.count, $0.windowStride) })
    var rows = StridedWalk(axes.dropLast().map { ($0.window, $0.elementStride) })
    var position = 0
    var steps = NoSteps()
    repeat {
      var result = arithmetic.first(start, &steps)
      repeat {
        var location = windows.offset + rows.offset
        for _ in 0..<innermost.window {
          arithmetic.combine(&result, input[location], &steps)
          location += innermost.elementStride
        }
      } while rows.next()
      output[position] = arithmetic.finish(result, &steps)
      position += 1
      try meter.add(windowCount)
    } while windows.next()
  }
}

/// A walk over the elements of a box, innermost axis fastest: `repeat { … } while walk.next()`.
///
/// After its last element it stands at the first one again.
struct StridedWalk {
  private let axes: [(length: Int, stride: Int)]
  private var positions: [Int]
  /// Where the current element lies, from the first one.
  private(set) var offset = 0

  /// The walk over these axes, outermost first; none may have length 0.
  init(_ axes: [(length: Int, stride: Int)]) {
    self.axes = axes
    positions = [Int](repeating: 0, count: axes.count)
  }

  /// Goes to the next element; false after the last.
  mutating func next() -> Bool {
    for axis in stride(from: axes.count - 1, through: 0, by: -1) {
      offset += axes[axis].stride
      positions[axis] += 1
      if positions[axis] < axes[axis].length { return true }
      offset -= axes[axis].stride * axes[axis].length
      positions[axis] = 0
    }
    return false
  }
}
