// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// What a reduction makes of the elements that go into one result.
package protocol ReductionArithmetic: Sendable {
  /// The input's element.
  associatedtype Input: TensorElement
  /// The output's element.
  associatedtype Output: TensorElement
  /// A running result.
  associatedtype Accumulator

  /// The result of no elements.
  var empty: Accumulator { get }

  /// The result of one element alone.
  func first(_ element: Input, _ steps: inout some Steps) -> Accumulator

  /// Takes one more element into a running result.
  func combine(
    _ accumulator: inout Accumulator, _ element: Input, _ steps: inout some Steps)

  /// The output element of a whole result.
  func finish(_ accumulator: Accumulator, _ steps: inout some Steps) -> Output
}

extension ReductionArithmetic {
  /// The result of one element alone.
  @inline(__always)
  package func first(_ element: Input) -> Accumulator {
    var steps = NoSteps()
    return first(element, &steps)
  }

  /// Takes one more element into a running result.
  @inline(__always)
  package func combine(_ accumulator: inout Accumulator, _ element: Input) {
    var steps = NoSteps()
    combine(&accumulator, element, &steps)
  }

  /// The output element of a whole result.
  @inline(__always)
  package func finish(_ accumulator: Accumulator) -> Output {
    var steps = NoSteps()
    return finish(accumulator, &steps)
  }
}

/// The loops of a reduction, once for all operators and number formats.
package struct ReductionLoop<Arithmetic: ReductionArithmetic>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.reduction, Arithmetic.Input.elementType) }
  package static var identity: KernelIdentity { KernelIdentity(Arithmetic.self) }

  /// What is computed.
  package let arithmetic: Arithmetic
  /// How the input is walked.
  package let axes: ReducedAxes
  /// Whether a result starts from its first element instead of from that of no elements.
  package let startsFromFirst: Bool

  /// The reduction of `axes` by `arithmetic`.
  package init(_ arithmetic: Arithmetic, _ axes: ReducedAxes, startsFromFirst: Bool) {
    self.arithmetic = arithmetic
    self.axes = axes
    self.startsFromFirst = startsFromFirst
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Arithmetic.Input.self)
    var output = frame.output(0, as: Arithmetic.Output.self)
    guard !axes.isEmpty else {
      for index in output.indices { output[index] = arithmetic.finish(arithmetic.empty) }
      return
    }
    let row = axes.reduced.last ?? .init(length: 1, stride: 1)
    var rows = LoopWalk(axes.reduced.dropLast())
    var results = LoopWalk(axes.kept)
    for index in output.indices {
      _ = results.next()
      var result = arithmetic.empty
      var isFirst = startsFromFirst
      while rows.next() {
        var position = results.offset + rows.offset
        var remaining = row.length
        if isFirst {
          result = arithmetic.first(input[position])
          position += row.stride
          remaining -= 1
          isFirst = false
        }
        for _ in 0..<remaining {
          arithmetic.combine(&result, input[position])
          position += row.stride
        }
      }
      output[index] = arithmetic.finish(result)
    }
  }
}

/// The kernel of `ReductionLoop`.
package typealias ReductionKernel<Arithmetic: ReductionArithmetic> = LoopKernel<
  ReductionLoop<Arithmetic>
>

extension LoopKernel {
  /// The reduction of `axes` by `arithmetic`.
  package convenience init<Arithmetic: ReductionArithmetic>(
    _ arithmetic: Arithmetic, _ axes: ReducedAxes, startsFromFirst: Bool
  ) where Loop == ReductionLoop<Arithmetic> {
    self.init(ReductionLoop(arithmetic, axes, startsFromFirst: startsFromFirst))
  }
}
