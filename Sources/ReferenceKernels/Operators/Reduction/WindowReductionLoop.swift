// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The loop of `REDUCE_WINDOW` and `STABLEHLO_REDUCE_WINDOW`.
///
/// Maximum and minimum take the second operand where neither is beyond the other, so that a NaN
/// is replaced by what comes after it. Conjunction and disjunction of numbers ask whether they are
/// not 0, and give 1 or 0.
package struct WindowReductionLoop<Element>: KernelLoop
where Element: CombinedElement & Comparable & ExpressibleByIntegerLiteral {
  /// The windows.
  package let reduction: WindowReduction

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Element.self)
    let start = frame.input(1, as: Element.self)[0]
    var output = frame.output(0, as: Element.self)
    guard !output.isEmpty else { return }
    guard let padding = reduction.padding else {
      reduce(input, from: start, into: &output)
      return
    }
    var padded = frame.scratch(0, as: Element.self)
    for index in 0..<padding.shape.elementCount { padded[index] = start }
    padding.box.copy(input, into: &padded)
    reduce(padded.span, from: start, into: &output)
  }

  private func reduce(
    _ input: Span<Element>, from start: Element, into output: inout MutableSpan<Element>
  ) {
    let axes = reduction.axes
    guard let innermost = axes.last else { return }
    var windows = StridedWalk(axes.map { ($0.count, $0.windowStride) })
    var rows = StridedWalk(axes.dropLast().map { ($0.window, $0.elementStride) })
    var position = 0
    repeat {
      var result = start
      repeat {
        var place = windows.offset + rows.offset
        for _ in 0..<innermost.window {
          result = combined(result, input[place])
          place += innermost.elementStride
        }
      } while rows.next()
      output[position] = result
      position += 1
    } while windows.next()
  }

  @inline(__always)
  private func combined(_ a: Element, _ b: Element) -> Element {
    switch reduction.function {
    case .sum: a.sum(b)
    case .product: a.product(b)
    case .maximum: a >= b ? a : b
    case .minimum: a <= b ? a : b
    case .all: a != 0 && b != 0 ? 1 : 0
    case .any: a != 0 || b != 0 ? 1 : 0
    }
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
