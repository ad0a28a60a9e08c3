// SPDX-License-Identifier: Apache-2.0

internal import Martlet
internal import ModelFormat
internal import Npy
internal import OptimizedKernels
internal import ReferenceKernels
internal import Tensors
internal import Traces

/// The computation of a run's float shadow, node after node.
struct ShadowRun {
  private let interpreter: Interpreter
  private let graph: ModelFile.Subgraph
  private let table: TensorTable
  /// The shadows that later nodes read, by tensor.
  private var shadows: [Int: TensorValue] = [:]
  /// The last node that reads each tensor.
  private var lastReaders: [Int: Int] = [:]

  /// The shadow of what `table` holds: all tensors of a run.
  init(_ interpreter: Interpreter, _ table: TensorTable) {
    self.interpreter = interpreter
    graph = interpreter.subgraph
    self.table = table
    for (index, node) in graph.nodes.enumerated() {
      for tensor in node.inputs where tensor >= 0 { lastReaders[tensor] = index }
    }
  }

  /// Computes all nodes and compares what the run has with it.
  mutating func tensors() -> [FloatShadow.Tensor] {
    var tensors: [FloatShadow.Tensor] = []
    for (index, node) in graph.nodes.enumerated() {
      tensors += row(index, node)
      for tensor in node.inputs where tensor >= 0 && lastReaders[tensor] == index {
        shadows[tensor] = nil
      }
    }
    return tensors
  }

  private mutating func row(_ index: Int, _ node: ModelFile.Node) -> [FloatShadow.Tensor] {
    let computed = node.outputs.filter { $0 >= 0 && table.sources[$0] != .constant }
    if computed.isEmpty { return [] }
    do throws(ShadowProblem) {
      let own = try inputs(of: node)
      let others = zip(node.inputs, own).map { tensor, value in shadows[tensor] ?? value }
      let (ownOutputs, shadowOutputs) = try outputs(of: node, own, others)
      var rows: [FloatShadow.Tensor] = []
      for (position, tensor) in node.outputs.enumerated() where computed.contains(tensor) {
        shadows[tensor] = shadowOutputs[position]
        rows.append(
          FloatShadow.Tensor(
            node: index, tensor: tensor, isolated: difference(tensor, ownOutputs[position]),
            cumulative: difference(tensor, shadowOutputs[position]), note: nil))
      }
      return rows
    } catch {
      // What cannot be computed in float goes on with what the run computed.
      return computed.map {
        FloatShadow.Tensor(
          node: index, tensor: $0, isolated: nil, cumulative: nil, note: error.reason)
      }
    }
  }

  /// The inputs in the run, as float32 where they are quantized.
  private func inputs(of node: ModelFile.Node) throws(ShadowProblem) -> [TensorValue?] {
    var values: [TensorValue?] = []
    for (position, tensor) in node.inputs.enumerated() {
      guard tensor >= 0 else {
        values.append(nil)
        continue
      }
      guard let type = table.types[tensor], let bytes = table.bytes[tensor] else {
        throw ShadowProblem(reason: "input \(position) has no value")
      }
      guard table.sources[tensor] != .variable else {
        throw ShadowProblem(reason: "input \(position) is a variable, which the run has changed")
      }
      values.append(try real(TensorValue(type, bytes), scales: biasScales(node, position)))
    }
    return values
  }

  /// The scales of a bias that the file gives none: those of the products that it is added to.
  private func biasScales(_ node: ModelFile.Node, _ position: Int) -> [Float]? {
    let isBias =
      switch node.identity.code {
      case .conv2D, .depthwiseConv2D, .fullyConnected, .conv3D: position == 2
      case .transposeConv: position == 3
      case _: false
      }
    let data = node.identity.code == .transposeConv ? 2 : 0
    guard isBias, node.inputs.count > position, node.inputs[data] >= 0, node.inputs[1] >= 0,
      let input = table.types[node.inputs[data]]?.quantization?.perTensor?.scale,
      let filter = table.types[node.inputs[1]]?.quantization?.scales
    else { return nil }
    return filter.map { $0 * input }
  }

  /// A value as float32 where it is quantized, else as it is.
  private func real(
    _ value: TensorValue, scales: [Float]?
  ) throws(ShadowProblem) -> TensorValue {
    let type = value.type
    switch type.elementType {
    case .int32, .int64:
      // Wide integers are sizes and indices, except for biases.
      guard let scales, !scales.isEmpty else { return value }
      let biasType = TensorType(
        type.elementType, type.shape, quantization: Quantization(scales: scales))
      return try dequantized(TensorValue(biasType, value.bytes))
    case .int8, .uint8, .int16, .uint16, .int4, .int2, .uint4:
      return AffineScales(type) == nil ? value : try dequantized(value)
    case _: return value
    }
  }

  private func dequantized(_ value: TensorValue) throws(ShadowProblem) -> TensorValue {
    guard let array = try? NpyArray(value.type, tensorBytes: value.bytes.array()),
      let reals = RealValues(value.type, array)
    else { throw ShadowProblem(reason: "\(value.type) has no real values") }
    return TensorValue(
      TensorType(.float32, value.type.shape),
      TensorBytes(copying: reals.numbers.map { Float($0) }))
  }

  private func difference(_ tensor: Int, _ shadow: TensorValue) -> TensorDifference? {
    guard let type = table.types[tensor], let bytes = table.bytes[tensor],
      let own = try? NpyArray(type, tensorBytes: bytes.array()),
      let other = try? NpyArray(shadow.type, tensorBytes: shadow.bytes.array())
    else { return nil }
    return TensorDifference(
      of: TypedArray(type: type, array: own),
      from: TypedArray(type: shadow.type, array: other), tolerance: nil)
  }

  /// What a node computes of the run's inputs and of their shadows, prepared once for both.
  private func outputs(
    of node: ModelFile.Node, _ own: [TensorValue?], _ shadows: [TensorValue?]
  ) throws(ShadowProblem) -> (own: [TensorValue], shadows: [TensorValue]) {
    if let code = node.identity.code, [.quantize, .dequantize].contains(code),
      let own = own.first, let own, let shadow = shadows.first, let shadow
    {
      return ([own], [shadow])
    }
    do {
      let context = PrepareContext(
        inputs: zip(node.inputs, own).map { tensor, value in
          value.map {
            PrepareContext.Operand(
              $0.type, bytes: $0.bytes, isConstant: table.sources[tensor] == .constant)
          }
        },
        declaredOutputs: node.outputs.map { floating(graph.tensors[$0].type) },
        rounding: interpreter.options.rounding)
      let operation = try interpreter.options.customOperators.makeOperator(for: node)
      let prepared = KernelSet.optimized.applied(
        to: try operation.prepare(context), of: context, weights: WeightCache())
      return (
        try limited(evaluate(prepared, own), of: node),
        try limited(evaluate(prepared, shadows), of: node)
      )
    } catch {
      throw ShadowProblem(reason: "not computed in float: \(error)")
    }
  }

  private func evaluate(
    _ prepared: Prepared, _ inputs: [TensorValue?]
  ) throws -> [TensorValue] {
    var values: [TensorValue] = []
    for type in prepared.outputs {
      guard let byteCount = type.byteCount else {
        throw ShadowProblem(reason: "\(type) has no float form")
      }
      values.append(TensorValue(type, TensorBytes(zeroed: byteCount)))
    }
    let frame = TensorFrame(
      inputs: inputs.map { $0?.bytes }, outputs: values.map(\.bytes),
      scratch: prepared.scratch.map { TensorBytes(zeroed: $0) })
    try prepared.kernel.evaluate(frame)
    return values
  }

  /// Results with the activation that their range of quantized values stands for.
  ///
  /// Models of which training knew the ranges leave ReLU and ReLU6 to them: the lowest quantized
  /// value is zero, and the highest six.
  private func limited(_ values: [TensorValue], of node: ModelFile.Node) -> [TensorValue] {
    zip(values, node.outputs).map { value, tensor in
      let declared = graph.tensors[tensor].type
      guard value.type.elementType == .float32, let affine = declared.quantization?.perTensor,
        let range = declared.elementType.quantizedRange,
        Int64(affine.zeroPoint) == range.lowerBound
      else { return value }
      let highest = affine.scale * Float(range.upperBound - range.lowerBound)
      let limit = (highest - 6).magnitude <= affine.scale ? 6 : Float.infinity
      var numbers = value.bytes.mutableSpan(as: Float.self)
      for index in numbers.indices { numbers[index] = min(max(numbers[index], 0), limit) }
      return value
    }
  }

  /// The type of a tensor in float.
  private func floating(_ type: TensorType) -> TensorType {
    switch type.elementType {
    case .int8, .uint8, .int16, .uint16, .int4, .int2, .uint4:
      AffineScales(type) == nil ? type : TensorType(.float32, type.shape)
    case _: type
    }
  }
}

/// Why a node has no float shadow.
private struct ShadowProblem: Error {
  let reason: String
}
