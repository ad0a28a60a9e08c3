// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let svdf = CatalogEntry(
    .svdf, chapter: .sequence,
    formula: """
      s[f] ← s[f] without its oldest value, then Σk W[f, k] x[k]
      y[u] = act(b[u] + Σ(f of u) Σm T[f, m] s[f, m])
      """,
    versions: .upTo(4),
    variants: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8 i8x16_q i8x8_q",
    optimized: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8 i8x16_q i8x8_q",
    work: .products { $0.cellProducts([1, 2]) }, reads: .everything
  ) { node throws(KernelError) in
    SVDF(options: try node.options())
  }
}

/// `SVDF`: filters over the inputs of the last steps, each of rank 1 in features and time.
///
/// A unit has as many filters as the options' rank says.
///
/// - Input 0: `x`, `[batch, inputs]`.
/// - Input 1: `W`, `[filters, inputs]`. Input 2: `T`, `[filters, memory]`.
/// - Input 3: `b`, `[units]`, optional.
/// - Input 4: `s`, `[batch, filters · memory]`, a variable.
/// - Output: `[batch, units]`.
///
/// TFLite: `svdf.cc`, `reference/svdf.h`; with an int8 state TFLite Micro: `svdf_common.cc`.
struct SVDF: Operator {
  let options: SVDFOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 5...5)
    let layout = try SVDFLayout(node, rank: Int(options.rank))
    let input = try node.input(0)
    let declared = try node.declaredOutput()
    guard declared.elementType == input.elementType else {
      throw .elementType(declared.elementType, .output(0))
    }
    let output = TensorType(
      input.elementType, try Shape.checked([layout.batchCount, layout.unitCount]),
      quantization: declared.quantization)
    let weights = try node.input(1).elementType
    switch (input.elementType, weights) {
    case (.float32, .float32):
      try layout.check(node, time: .float32, bias: .float32, state: .float32)
      return prepared(FloatCellProducts(.neon), layout, output)
    case (.float32, .int8), (.float32, .uint8):
      try layout.check(node, time: weights, bias: .float32, state: .float32)
      let products = HybridCellProducts(node, isAsymmetric: options.asymmetricQuantizeInputs)
      return prepared(products, layout, output)
    case (.int8, .int8):
      guard options.fusedActivation == .relu else {
        throw .unsupported("fused activation \(options.fusedActivation), wanted relu")
      }
      return Prepared(
        output,
        try node.input(4).elementType == .int8
          ? try integers(Int8.self, layout, node) : try integers(Int16.self, layout, node))
    case (let input, let weights):
      throw .unsupported("\(weights.schemaName) weights for \(input.schemaName) input")
    }
  }

  private func integers<State: CellInteger>(
    _ state: State.Type, _ layout: SVDFLayout, _ node: PrepareContext
  ) throws(KernelError) -> any Kernel {
    try layout.check(node, time: State.elementType, bias: .int32, state: State.elementType)
    return LoopKernel(try IntegerSVDF<State>(node, layout))
  }

  private func prepared<Products: CellProducts>(
    _ products: Products, _ layout: SVDFLayout, _ output: TensorType
  ) -> Prepared {
    let loop = SVDFLoop(
      layout: layout, products: products, activation: CellActivation(options.fusedActivation))
    return Prepared(output, LoopKernel(loop), scratch: loop.scratch)
  }
}

/// The sizes of an SVDF node.
package struct SVDFLayout: Sendable {
  package let batchCount: Int
  package let inputCount: Int
  /// Filters of all units.
  package let filterCount: Int
  /// Filters of a unit.
  package let rank: Int
  /// Steps that a filter sees.
  package let memoryCount: Int

  /// Elements of a row of the output.
  package var unitCount: Int { filterCount / rank }

  init(_ node: PrepareContext, rank: Int) throws(KernelError) {
    for position in 0...2 {
      let shape = try node.input(position).shape
      guard shape.rank == 2 else { throw .rank(shape.rank, wanted: "2", .input(position)) }
    }
    batchCount = try node.input(0).shape[0]
    inputCount = try node.input(0).shape[1]
    filterCount = try node.input(1).shape[0]
    memoryCount = try node.input(2).shape[1]
    self.rank = rank
    guard rank > 0, filterCount % rank == 0 else {
      throw .invalid("rank \(rank) for \(filterCount) filters", .input(1))
    }
    guard memoryCount > 0 else { throw .invalid("filters without memory", .input(2)) }
  }

  func check(
    _ node: PrepareContext, time: ElementType, bias: ElementType, state: ElementType
  ) throws(KernelError) {
    try node.expect(1, try node.input(1).elementType, [filterCount, inputCount])
    try node.expect(2, time, [filterCount, memoryCount])
    if node.optionalInput(3) != nil { try node.expect(3, bias, [unitCount]) }
    let (length, overflow) = filterCount.multipliedReportingOverflow(by: memoryCount)
    guard !overflow else { throw .invalid("\(filterCount) filters", .input(2)) }
    try node.expectState(4, state, elementCount: batchCount * length)
    try node.expect(4, state, [batchCount, length])
  }

  /// Forgets the oldest value of a filter's memory and adds `newest`.
  @inline(__always)
  func push<Value>(_ newest: Value, to memory: inout MutableSpan<Value>, _ row: Int) {
    let first = row * memoryCount
    for index in first..<first + memoryCount - 1 { memory[index] = memory[index + 1] }
    memory[first + memoryCount - 1] = newest
  }
}

/// `SVDF` with a float state.
package struct SVDFLoop<Products: CellProducts>: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.recurrent, Products.Quantized.elementType) }

  package let layout: SVDFLayout
  /// The matrix products with the inputs.
  package let products: Products
  /// What is applied to each sum.
  package let activation: CellActivation

  /// Bytes of the scratch tensors: quantized values of an input, features.
  package var scratch: [Int] {
    [
      layout.inputCount * MemoryLayout<Products.Quantized>.stride,
      layout.filterCount * MemoryLayout<Float>.stride,
    ]
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    let time = frame.input(2, as: Products.Quantized.self)
    let bias = frame.input(3, as: Float.self)
    var memory = frame.variable(4, as: Float.self)
    var quantizedValues = frame.scratch(0, as: Products.Quantized.self)
    var features = frame.scratch(1, as: Float.self)
    var output = frame.output(0, as: Float.self)
    for batch in 0..<layout.batchCount {
      let vector = input.extracting(batch * layout.inputCount..<(batch + 1) * layout.inputCount)
      let first = batch * layout.unitCount
      let product = CellProduct(
        weights: 1, rows: layout.filterCount, columns: layout.inputCount,
        vector: products.encode(vector, into: &quantizedValues), location: batch)
      products.multiply(
        product, frame, vector, as: quantizedValues.span, bias: Span(), to: &features, &steps
      ) { filter, steps in
        steps.part("filter \(filter), feature")
        steps.about(first + filter / layout.rank)
      }
      for unit in 0..<layout.unitCount {
        steps.about(first + unit)
        var sum: Float = 0
        for filter in unit * layout.rank..<(unit + 1) * layout.rank {
          let row = batch * layout.filterCount + filter
          layout.push(features[filter], to: &memory, row)
          steps.part("filter \(filter), memory")
          let product = remembered(memory.span, row, time, filter, &steps)
          sum = filter % layout.rank == 0 ? sum + product : steps.sum(sum, product)
        }
        steps.part("output")
        if !bias.isEmpty { sum = steps.sum(sum, steps.element("bias", bias, unit)) }
        output[first + unit] = activation(sum, &steps)
      }
    }
  }

  /// What a filter makes of the features that it remembers.
  @inline(__always)
  private func remembered(
    _ memory: Span<Float>, _ row: Int, _ time: Span<Products.Quantized>, _ filter: Int,
    _ steps: inout some Steps
  ) -> Float {
    var product = LaneSum(.inTurn, count: layout.memoryCount)
    for step in 0..<layout.memoryCount {
      let (weight, state) = (filter * layout.memoryCount + step, row * layout.memoryCount + step)
      product.add(
        steps.term(
          products.real(time[weight], at: 2) * memory[state], of: memory, state, time, weight),
        at: step)
    }
    return steps.accumulator(product, of: layout.memoryCount)
  }
}

/// An integer of a cell's state.
package protocol CellInteger: TensorElement, FixedWidthInteger, SignedInteger {}

extension Int8: CellInteger {}
extension Int16: CellInteger {}

/// `SVDF` with int8 inputs and outputs, and with weights for the memory of the state's type.
///
/// Features are brought to the state's scale with saturation. The options must name ReLU, which
/// only the output's lowest quantized value takes care of.
package struct IntegerSVDF<State: CellInteger>: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.recurrent, State.elementType) }

  package let layout: SVDFLayout
  package let inputZeroPoint: Int32
  /// That of an int8 state; an int16 state counts from 0.
  package let stateZeroPoint: Int32
  package let outputZeroPoint: Int32
  /// From products of inputs and feature weights to the state's scale.
  package let feature: FixedPointMultiplier
  /// From products of states and time weights to the output's scale.
  package let result: FixedPointMultiplier

  init(_ node: PrepareContext, _ layout: SVDFLayout) throws(KernelError) {
    let input = try node.input(0).affine(.input(0))
    let weights = try node.input(1).affine(.input(1))
    let time = try node.input(2).affine(.input(2))
    let state = try node.input(4).affine(.input(4))
    let output = try node.declaredOutput().affine(.output(0))
    self.layout = layout
    inputZeroPoint = input.zeroPoint
    stateZeroPoint = State.elementType == .int8 ? state.zeroPoint : 0
    outputZeroPoint = output.zeroPoint
    // The quotients are formed in float32.
    feature = FixedPointMultiplier(
      Double(input.scale * weights.scale / state.scale), rounding: node.rounding)
    result = FixedPointMultiplier(
      Double(state.scale * time.scale / output.scale), rounding: node.rounding)
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Int8.self)
    let weights = frame.input(1, as: Int8.self)
    let time = frame.input(2, as: State.self)
    let bias = frame.input(3, as: Int32.self)
    var memory = frame.variable(4, as: State.self)
    var output = frame.output(0, as: Int8.self)
    let inputs = layout.inputCount
    for batch in 0..<layout.batchCount {
      let vector = input.extracting(batch * inputs..<(batch + 1) * inputs)
      for unit in 0..<layout.unitCount {
        steps.about(batch * layout.unitCount + unit)
        var sum: Int32 = 0
        for filter in unit * layout.rank..<(unit + 1) * layout.rank {
          let row = batch * layout.filterCount + filter
          steps.part("filter \(filter), feature")
          let feature = feature(
            weights.extracting(filter * inputs..<(filter + 1) * inputs), vector, &steps)
          layout.push(feature, to: &memory, row)
          steps.part("filter \(filter), memory")
          let product = remembered(memory.span, row, time, filter, &steps)
          sum = filter % layout.rank == 0 ? product : steps.sum(sum, product)
        }
        steps.part("output")
        if !bias.isEmpty { sum = steps.sum(sum, steps.element("bias", bias, unit)) }
        output[batch * layout.unitCount + unit] = steps.store(
          steps.scale(sum, by: result), zeroPoint: outputZeroPoint)
      }
    }
  }

  /// What a filter makes of the newest inputs.
  @inline(__always)
  private func feature(
    _ row: Span<Int8>, _ vector: Span<Int8>, _ steps: inout some Steps
  ) -> State {
    var sum: Int32 = 0
    for k in 0..<layout.inputCount {
      sum &+= steps.term(
        Int32(row[k]) &* (Int32(vector[k]) &- inputZeroPoint), of: vector, k, row, k)
    }
    steps.note("input zero point", "the quantized value of zero", inputZeroPoint)
    let scaled = steps.scale(steps.accumulator(sum), by: feature)
    return steps.saturate(
      State.elementType == .int8 ? steps.addZeroPoint(scaled, stateZeroPoint) : scaled)
  }

  /// What a filter makes of the features that it remembers.
  @inline(__always)
  private func remembered(
    _ memory: Span<State>, _ row: Int, _ time: Span<State>, _ filter: Int,
    _ steps: inout some Steps
  ) -> Int32 {
    let count = layout.memoryCount
    var sum: Int32 = 0
    for step in 0..<count {
      let (weight, state) = (filter * count + step, row * count + step)
      sum &+= steps.term(
        Int32(time[weight]) &* (Int32(memory[state]) &- stateZeroPoint), of: memory, state, time,
        weight)
    }
    if State.elementType == .int8 {
      steps.note("state zero point", "the quantized value of zero", stateZeroPoint)
    }
    return steps.accumulator(sum)
  }
}
