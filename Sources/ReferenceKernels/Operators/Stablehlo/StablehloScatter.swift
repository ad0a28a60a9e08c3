// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let stablehloScatter = CatalogEntry(
    .stablehloScatter, chapter: .stablehlo,
    formula: """
      y = x;  y[start(j) + i] = combine(y[start(j) + i], updates[j, i]) for all j and i, in order
      """,
    versions: .upTo(1),
    variants: "f32 i32 i64 i8 f16 i16 u8 bool", optimized: "",
    work: .elements { Checked.sum($0.outputElementCount, $0.input(2)?.shape.elementCount) },
    reads: .everything
  ) { node throws(KernelError) in StablehloScatter(options: try node.options()) }
}

/// `STABLEHLO_SCATTER`: a tensor with updates combined into it at locations that vectors of indices
/// give.
///
/// - Input 0: the tensor.
/// - Input 1: the start indices, int32 or int64; one axis holds the components of a vector.
/// - Input 2: the updates: `update_window_dims` are its axes within a window, less the inserted
///   ones; the others are the axes of the indices.
///
/// An update whose position lies outside of the tensor is passed over. The combination is a
/// subgraph: empty (the update replaces the element) or with one of `STABLEHLO_ADD`,
/// `STABLEHLO_MULTIPLY`, `STABLEHLO_MAXIMUM` and `STABLEHLO_MINIMUM` in it. TFLite:
/// `stablehlo_scatter.cc`.
struct StablehloScatter: Operator {
  let options: StablehloScatterOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let (input, indices) = (try node.input(0), try node.input(1))
    let updates = try node.input(2)
    try updates.expect(input.elementType, .input(2))
    let windowAxes = options.updateWindowDimensions
    guard windowAxes == windowAxes.sorted(),
      windowAxes.allSatisfy({ 0..<Int64(updates.shape.rank) ~= $0 })
    else {
      throw .invalid("window axes \(windowAxes) of updates of shape \(updates.shape)", .input(2))
    }
    let windows = try IndexedWindows(
      rank: input.shape.rank, windowAxes: windowAxes,
      omittedAxes: options.insertedWindowDimensions, components: options.operandDimensions,
      indices: indices.shape, vectorAxis: options.indexVectorDimension,
      windowLengths: windowAxes.map { updates.shape[Int($0)] })
    guard windows.lengths == updates.shape.dimensions else {
      throw .invalid("updates of shape \(updates.shape), wanted \(windows.lengths)", .input(2))
    }
    let loops = ScatterLoops(
      windows: windows, shape: input.shape, combination: try combination(node),
      indexType: try IndexType(indices, .input(1)))
    let declared = try node.declaredOutput()
    try declared.expect(input.elementType, .output(0))
    return Prepared(
      input.moved(to: input.shape, declared: declared), try loops.kernel(input.elementType))
  }

  private func combination(_ node: PrepareContext) throws(KernelError) -> Combination {
    let operators = try node.body(Int(options.updateComputation))
    guard let only = operators.first else { return .replacement }
    if operators.count == 1, let code = only.code {
      let known: [OperatorCode: Combination] = [
        .stablehloAdd: .sum, .stablehloMultiply: .product, .stablehloMaximum: .maximum,
        .stablehloMinimum: .minimum,
      ]
      if let combination = known[code] { return combination }
    }
    throw .unsupported(
      """
      update computation of \(operators.map(\.name).joined(separator: ", ")), wanted none or one \
      of STABLEHLO_ADD, STABLEHLO_MULTIPLY, STABLEHLO_MAXIMUM, STABLEHLO_MINIMUM
      """)
  }
}

extension PrepareContext {
  /// The operators of the subgraph that is a node's computation.
  ///
  /// - Throws: `KernelError` where the model has no such subgraph.
  func body(_ index: Int) throws(KernelError) -> [OperatorIdentity] {
    guard let operators = subgraphOperators(index) else {
      throw .invalid("computation in subgraph \(index), which the model does not have")
    }
    return operators
  }
}

private struct ScatterLoops: CombinedElementLoops {
  let windows: IndexedWindows
  let shape: Shape
  let combination: Combination
  let indexType: IndexType

  func kernel<Element: CombinedElement>(of type: Element.Type) -> any Kernel {
    LoopKernel(
      WindowScatterLoop<Element>(
        windows: windows, shape: shape, combination: combination, indexType: indexType))
  }
}

/// The loop of `STABLEHLO_SCATTER`.
package struct WindowScatterLoop<Element: CombinedElement>: SteppedLoop {
  /// How updates and indices are walked.
  package let windows: IndexedWindows
  /// The shape of input and output.
  package let shape: Shape
  /// How an update is combined with the element in its position.
  package let combination: Combination
  /// What the start indices are.
  package let indexType: IndexType

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Element.self)
    let indices = Indices(frame, 1, indexType)
    let updates = frame.input(2, as: Element.self)
    var output = frame.output(0, as: Element.self)
    for index in output.indices {
      steps.about(index)
      output[index] = steps.moved(input, index)
    }
    guard !updates.isEmpty, !output.isEmpty else { return }
    let strides = shape.strides
    var walk = IndexedWindows.Walk(windows, rank: shape.rank)
    var position = 0
    repeat {
      var location = walk.offsets
      for (component, axis) in windows.components.enumerated() {
        // Offsets are lengths of shapes, so a start beyond any length stays outside.
        let start = indices[walk.vector + component * windows.componentStride]
        location[axis] += max(-Self.farAway, min(start, Self.farAway))
      }
      var target = 0
      var isInside = true
      for axis in strides.indices {
        isInside = isInside && 0..<shape[axis] ~= location[axis]
        target += (isInside ? location[axis] : 0) * strides[axis]
      }
      if isInside {
        steps.about(target)
        output[target] = output[target].combined(
          combination, with: steps.read(updates, position), &steps)
      }
      position += 1
    } while walk.next()
  }

  /// Farther from any element than a tensor is long.
  private static var farAway: Int { 1 << 41 }
}
