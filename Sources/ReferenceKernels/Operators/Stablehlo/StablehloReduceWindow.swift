// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let stablehloReduceWindow = CatalogEntry(
    .stablehloReduceWindow, chapter: .stablehlo,
    formula: "y[o] = f(… f(f(init, x′[o·stride]), x′[o·stride + dilation]) …)", versions: .upTo(1),
    variants: "f32 i32 i8 i64 bool u8 i16", optimized: "",
    work: .elements { types in
      guard let options = types.options(StablehloReduceWindowOptions.self) else { return nil }
      return Checked.product(
        [types.outputElementCount] + options.windowDimensions.map { Int(exactly: $0) })
    }, reads: .everything
  ) { node throws(KernelError) in StablehloReduceWindow(options: try node.options()) }
}

/// `STABLEHLO_REDUCE_WINDOW`: each window of a tensor becomes one element.
///
/// - Input 0: the tensor, of rank 1 to 6.
/// - Input 1: `init`, one element.
///
/// x′ is x with `base_dilations − 1` elements put between neighbors and `padding` around, all of
/// them `init`; negative padding crops. So where `init` is not f's neutral element it counts once
/// more for each element of padding in a window, as in TFLite. f is a subgraph with one operator
/// in it, see `WindowFunction`. TFLite: `stablehlo_reduce_window.cc`.
struct StablehloReduceWindow: Operator {
  let options: StablehloReduceWindowOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, start) = (try node.input(0), try node.input(1))
    let rank = input.shape.rank
    guard 1...6 ~= rank else { throw .rank(rank, wanted: "1 to 6", .input(0)) }
    try start.expect(input.elementType, .input(1))
    guard start.shape.elementCount == 1 else {
      throw .invalid("\(start.shape.elementCount) initial values, wanted 1", .input(1))
    }
    let declared = try node.declaredOutput()
    try declared.expect(input.elementType, .output(0))
    let windows = try axes(options.windowDimensions, "window dimensions", rank)
    let strides = try axes(options.windowStrides, "window strides", rank)
    let gaps = try axes(options.baseDilations, "base dilations", rank)
    let dilations = try axes(options.windowDilations, "window dilations", rank)
    let padding = options.padding.isEmpty ? Array(repeating: 0, count: 2 * rank) : options.padding
    guard padding.count == 2 * rank else {
      throw .invalid("\(padding.count) paddings, wanted \(2 * rank)")
    }
    let padded = try InteriorPadding(
      input.shape, low: (0..<rank).map { padding[2 * $0] },
      high: (0..<rank).map { padding[2 * $0 + 1] }, interior: gaps.map { Int64($0 - 1) })
    guard padded.shape.elementCount > 0 else { throw .invalid("padding leaves nothing") }
    let axes = (0..<rank).map { axis in
      WindowReduction.Axis(
        length: padded.shape[axis], stride: padded.shape.strides[axis], window: windows[axis],
        step: strides[axis], distance: dilations[axis])
    }
    let reduction = WindowReduction(
      padding: padded, axes: axes,
      function: try WindowFunction(body: node.body(Int(options.body))))
    let shape = try Shape.checked(axes.map(\.count))
    guard let scratch = input.elementType.byteCount(of: padded.shape.elementCount) else {
      throw .elementType(input.elementType, .input(0))
    }
    guard scratch <= Int(Int32.max) else {
      throw .unsupported("\(scratch) bytes after padding, wanted less than 2^31")
    }
    return Prepared(
      input.moved(to: shape, declared: declared), try reduction.kernel(input.elementType),
      scratch: [scratch])
  }

  /// Positive numbers for each axis, 1 where the model gives none.
  private func axes(
    _ values: [Int64], _ name: String, _ rank: Int
  ) throws(KernelError) -> [Int] {
    if values.isEmpty { return Array(repeating: 1, count: rank) }
    guard values.count == rank, values.allSatisfy({ $0 > 0 }) else {
      throw .invalid("\(name) \(values), wanted \(rank) numbers above 0")
    }
    return values.map { Int($0) }
  }
}

extension WindowFunction {
  /// What a subgraph of these operators computes.
  ///
  /// - Throws: `KernelError` unless there is one that is known.
  fileprivate init(body operators: [OperatorIdentity]) throws(KernelError) {
    guard operators.count == 1, let code = operators[0].code, let function = Self.known[code] else {
      throw .unsupported(
        """
        reduction by \(operators.map(\.name).joined(separator: ", ")), wanted one of ADD, MUL, \
        MAXIMUM, MINIMUM, LOGICAL_AND, LOGICAL_OR and their StableHLO counterparts
        """)
    }
    self = function
  }

  private static let known: [OperatorCode: WindowFunction] = [
    .add: .sum, .stablehloAdd: .sum, .mul: .product, .stablehloMultiply: .product,
    .maximum: .maximum, .stablehloMaximum: .maximum, .minimum: .minimum,
    .stablehloMinimum: .minimum, .logicalAnd: .all, .stablehloAnd: .all, .logicalOr: .any,
    .stablehloOr: .any,
  ]
}
