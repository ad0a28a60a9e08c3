// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

extension CatalogEntry {
  static let cumsum = CatalogEntry(
    .cumsum, chapter: .reduction, formula: "y[t] = x[0] + x[1] + … + x[t]", versions: .upTo(1),
    variants: "f32 i32 i64", optimized: "",
    work: .eachInput, reads: .everything
  ) { node throws(KernelError) in CumulativeSum(options: try node.options()) }
}

/// `CUMSUM`: running sums along an axis.
///
/// - Input 0: the elements.
/// - Input 1: the axis, one int32.
///
/// In `exclusive` mode `x[t]` is left out; in `reverse` mode sums start at the end of the axis.
/// TFLite: `cumsum.cc`, `reference/cumsum.h`.
struct CumulativeSum: Operator {
  let options: CumsumOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, position) = (try node.input(0), try node.input(1))
    try position.expect(.int32, .input(1))
    guard position.shape.elementCount == 1 else {
      throw .invalid("\(position.shape.elementCount) axes, wanted 1", .input(1))
    }
    let axis = try input.shape.axis(try node.integer(1), .input(1))
    let loops = AxisLoops(input.shape, axis: axis)
    let output = input.moved(to: input.shape, declared: try node.declaredOutput())
    switch input.elementType {
    case .float32: return Prepared(output, kernel(loops, of: Float.self))
    case .int32: return Prepared(output, kernel(loops, of: Int32.self))
    case .int64: return Prepared(output, kernel(loops, of: Int64.self))
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func kernel<Element: SummedElement>(
    _ loops: AxisLoops, of type: Element.Type
  ) -> any Kernel {
    LoopKernel(CumulativeSumLoop<Element>(loops: loops, options: options))
  }
}

/// The loop of `CUMSUM`.
package struct CumulativeSumLoop<Element: SummedElement>: SteppedLoop {
  /// The loops around the axis.
  package let loops: AxisLoops
  /// Which way sums run, and whether they begin before their position.
  package let options: CumsumOptions

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Element.self)
    var output = frame.output(0, as: Element.self)
    guard !output.isEmpty else { return }
    guard loops.innerCount == 1 || steps.areTold else { return sumRows(input, &output) }
    for outer in 0..<loops.outerCount {
      for inner in 0..<loops.innerCount {
        let start = outer * loops.length * loops.innerCount + inner
        let line = start..<start + (loops.length - 1) * loops.innerCount + 1
        var sum = Element.zero
        var index = options.reverse ? line.upperBound - 1 : line.lowerBound
        for _ in 0..<loops.length {
          if steps.areTold { steps.about(sums(with: index, in: line), step: loops.innerCount) }
          let before = sum
          sum = sum.plus(steps.read(input, index))
          steps.about(index)
          output[index] = steps.note(
            "sum", "of the elements up to this one\(options.exclusive ? ", without it" : "")",
            element: options.exclusive ? before : sum)
          index += options.reverse ? -loops.innerCount : loops.innerCount
        }
      }
    }
  }

  /// The same sums, of neighboring lines side by side: each is the one before it and one element.
  @_lifetime(output: copy output)
  private func sumRows(_ input: Span<Element>, _ output: inout MutableSpan<Element>) {
    let (count, isExclusive) = (loops.innerCount, options.exclusive)
    for outer in 0..<loops.outerCount {
      for step in 0..<loops.length {
        let location = options.reverse ? loops.length - 1 - step : step
        let row = (outer * loops.length + location) * count
        guard step > 0 else {
          for index in row..<row + count {
            output[index] = isExclusive ? .zero : Element.zero.plus(input[index])
          }
          continue
        }
        let before = options.reverse ? row + count : row - count
        let added = isExclusive ? before : row
        for index in 0..<count {
          output[row &+ index] = output[before &+ index].plus(input[added &+ index])
        }
      }
    }
  }

  /// The sums of a line that the element at `index` is part of.
  private func sums(with index: Int, in line: Range<Int>) -> Range<Int> {
    let own = options.exclusive ? 0 : 1
    return options.reverse
      ? line.lowerBound..<index + own
      : min(index + (1 - own) * loops.innerCount, line.upperBound)..<line.upperBound
  }
}
