// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let reduceWindow = CatalogEntry(
    .reduceWindow, chapter: .reduction,
    formula: "y[p…] = f(… f(f(init, x[p · s]), x[p · s + d]) …)", versions: .upTo(1),
    variants: "f32 i32 i64 i8 u8 i16 bool f64", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in ReduceWindow(options: try node.options()) }
}

/// `REDUCE_WINDOW`: the elements in a window that slides over a tensor, combined.
///
/// - Input 0: the elements, of rank 1 to 6.
/// - Input 1: the value `init` that each window starts from.
/// - Inputs 2, 3, 4: constants, int64, a number for each axis: the window's length, the step `s`
///   from one window to the next, and the distance `d` of neighbors in a window.
///
/// Windows lie within the tensor. Integers wrap; bool elements are added and compared as the bytes
/// that they are. Deprecated; StableHLO's operator of the same name pads, too. TFLite:
/// `stablehlo_reduce_window.cc`.
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
    let (windows, steps) = (try numbers(node, 2), try numbers(node, 3))
    let distances = try numbers(node, 4)
    let axes = input.shape.dimensions.indices.map { axis in
      WindowReduction.Axis(
        length: input.shape[axis], stride: input.shape.strides[axis], window: windows[axis],
        step: steps[axis], distance: distances[axis])
    }
    let reduction = WindowReduction(
      padding: nil, axes: axes, function: try WindowFunction(options.function))
    let output = input.moved(
      to: try Shape.checked(axes.map(\.count)), declared: try node.declaredOutput())
    var prepared = Prepared(output, try reduction.kernel(input.elementType))
    prepared.operationCount =
      Checked.product([output.shape.elementCount] + windows.map { $0 }) ?? .max
    return prepared
  }

  /// A positive number for each axis.
  private func numbers(_ node: PrepareContext, _ position: Int) throws(KernelError) -> [Int] {
    let numbers = try node.values(position, as: Int64.self).map { Int($0) }
    guard numbers.count == (try node.input(0).shape.rank), numbers.allSatisfy({ $0 > 0 }) else {
      throw .invalid("\(numbers), wanted a positive number for each axis", .input(position))
    }
    return numbers
  }
}

extension WindowFunction {
  /// The function of that name.
  ///
  /// - Throws: `KernelError` where none is set.
  fileprivate init(_ function: ReduceWindowFunction) throws(KernelError) {
    switch function {
    case .add: self = .sum
    case .multiply: self = .product
    case .minimum: self = .minimum
    case .maximum: self = .maximum
    case .all: self = .all
    case .any: self = .any
    case .unsupported: throw .invalid("reduce function is not set")
    }
  }
}
