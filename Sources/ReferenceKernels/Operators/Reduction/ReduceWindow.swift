// SPDX-License-Identifier: Apache-2.0

import ModelFormat
package import Tensors

/// `REDUCE_WINDOW`: the elements in a window that slides over a tensor, combined.
///
///     y[p…] = f(… f(f(init, x[p · s]), x[p · s + d]) …)
///
/// - Input 0: the elements, of rank 1 to 6.
/// - Input 1: the value `init` that each window starts from.
/// - Inputs 2, 3, 4: constants, int64, a number for each axis: the window's length, the step `s`
///   from one window to the next, and the distance `d` of neighbours in a window.
///
/// Windows lie within the tensor. Integers wrap; bool elements are added and compared as the bytes
/// that they are. Of a number and NaN, the extreme is the later one. Deprecated; StableHLO's
/// operator of the same name pads, too. TFLite: `stablehlo_reduce_window.cc`.
struct ReduceWindow: Operator {
  let options: ReduceWindowOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 5...5)
    let input = try node.input(0)
    guard 1...6 ~= input.shape.rank else {
      throw .rank(input.shape.rank, wanted: "1 to 6", .input(0))
    }
    try node.input(1).expect(input.elementType, .input(1))
    guard try node.input(1).shape.elementCount > 0 else {
      throw .invalid("a value is missing", .input(1))
    }
    try node.declaredOutput().expect(input.elementType, .output(0))
    let windows = try SlidingWindows(
      over: input.shape, window: try numbers(node, 2), steps: try numbers(node, 3),
      distances: try numbers(node, 4))
    let output = input.moved(
      to: try Shape.checked(windows.counts), declared: try node.declaredOutput())
    return Prepared(output, try kernel(input.elementType, windows))
  }

  /// A positive number for each axis.
  private func numbers(_ node: PrepareContext, _ position: Int) throws(KernelError) -> [Int] {
    let numbers = try node.values(position, as: Int64.self).map { Int($0) }
    guard numbers.count == (try node.input(0).shape.rank), numbers.allSatisfy({ $0 > 0 }) else {
      throw .invalid("\(numbers), wanted a positive number for each axis", .input(position))
    }
    return numbers
  }

  private func kernel(
    _ type: ElementType, _ windows: SlidingWindows
  ) throws(KernelError) -> any Kernel {
    switch type {
    case .float32: try kernel(windows, of: Float.self)
    case .float64: try kernel(windows, of: Double.self)
    case .int8, .bool: try kernel(windows, of: Int8.self)
    case .uint8: try kernel(windows, of: UInt8.self)
    case .int16: try kernel(windows, of: Int16.self)
    case .int32: try kernel(windows, of: Int32.self)
    case .int64: try kernel(windows, of: Int64.self)
    case .float16, .string, .complex64, .complex128, .uint64, .resource, .variant, .uint32,
      .uint16, .int4, .bfloat16, .int2, .uint4:
      throw .elementType(type, .input(0))
    }
  }

  private func kernel<Element: WindowElement>(
    _ windows: SlidingWindows, of type: Element.Type
  ) throws(KernelError) -> any Kernel {
    switch options.function {
    case .add: LoopKernel(ReduceWindowLoop(WindowSum<Element>(), windows))
    case .multiply: LoopKernel(ReduceWindowLoop(WindowProduct<Element>(), windows))
    case .minimum: LoopKernel(ReduceWindowLoop(WindowMinimum<Element>(), windows))
    case .maximum: LoopKernel(ReduceWindowLoop(WindowMaximum<Element>(), windows))
    case .all: LoopKernel(ReduceWindowLoop(WindowAll<Element>(), windows))
    case .any: LoopKernel(ReduceWindowLoop(WindowAny<Element>(), windows))
    case .unsupported: throw .invalid("reduce function is not set")
    }
  }
}

extension CatalogEntry {
  /// `REDUCE_WINDOW`.
  static let reduceWindow = CatalogEntry(
    .reduceWindow, variants: "f32 i32 i64 i8 u8 i16 bool f64"
  ) { node throws(KernelError) in ReduceWindow(options: try node.options()) }
}

/// How a window slides over a tensor of any rank.
package struct SlidingWindows: Sendable {
  /// Windows along each axis.
  package let counts: [Int]
  /// How far apart windows lie in the tensor, by axis.
  package let strides: [Int]
  /// Where the elements of a window lie behind its first.
  package let taps: [Int]

  /// The windows over a tensor of this shape; the other arguments are positive.
  package init(
    over shape: Shape, window: [Int], steps: [Int], distances: [Int]
  ) throws(KernelError) {
    var counts: [Int] = []
    for axis in 0..<shape.rank {
      let (reach, overflow) = (window[axis] - 1).multipliedReportingOverflow(by: distances[axis])
      let rest = shape[axis] - 1 - (overflow ? Int.max : reach)
      counts.append(rest < 0 ? 0 : rest / steps[axis] + 1)
    }
    self.counts = counts
    // A stride that does not fit belongs to an axis with one window.
    strides = zip(shape.strides, steps).map { $0.multipliedReportingOverflow(by: $1).partialValue }
    // Without windows, a window's elements need not lie within the tensor.
    guard !counts.contains(0) else {
      taps = []
      return
    }
    var taps = [0]
    for axis in 0..<shape.rank {
      // A distance that does not fit belongs to a window of one element.
      let stride = shape.strides[axis].multipliedReportingOverflow(by: distances[axis]).partialValue
      taps = taps.flatMap { tap in (0..<window[axis]).map { tap + $0 * stride } }
    }
    self.taps = taps
  }
}

/// How `REDUCE_WINDOW` combines two elements.
package protocol WindowFunction: Sendable {
  /// The tensor's element.
  associatedtype Element: WindowElement

  /// What is made of all elements before and one more.
  func apply(_ result: Element, _ element: Element) -> Element
}

/// The loop of `REDUCE_WINDOW`.
package struct ReduceWindowLoop<Function: WindowFunction>: KernelLoop {
  private let function: Function
  private let windows: SlidingWindows

  /// The combination of the elements in `windows` by `function`.
  package init(_ function: Function, _ windows: SlidingWindows) {
    self.function = function
    self.windows = windows
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Function.Element.self)
    let start = frame.input(1, as: Function.Element.self)
    var output = frame.output(0, as: Function.Element.self)
    var indices = [Int](repeating: 0, count: windows.counts.count)
    var origin = 0
    for index in output.indices {
      var result = start[0]
      for tap in windows.taps { result = function.apply(result, input[origin + tap]) }
      output[index] = result
      // The next window: one step along the innermost axis that has one left.
      var axis = indices.count - 1
      while axis >= 0 {
        indices[axis] += 1
        if indices[axis] < windows.counts[axis] {
          origin += windows.strides[axis]
          break
        }
        origin -= windows.strides[axis] &* (indices[axis] - 1)
        indices[axis] = 0
        axis -= 1
      }
    }
  }
}
