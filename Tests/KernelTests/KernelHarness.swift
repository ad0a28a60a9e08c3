// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors

/// A tensor written out in a test.
struct Tensor {
  let type: TensorType
  let bytes: TensorBytes
  let isConstant: Bool

  /// The tensor of `values` in row-major order.
  init<Element: TensorElement>(
    _ shape: Shape, _ values: [Element], scale: Float? = nil, zeroPoint: Int64 = 0,
    scales: [Float]? = nil, axis: Int = 0, isConstant: Bool = false
  ) {
    precondition(values.count == shape.elementCount, "\(values.count) values for \(shape)")
    let quantization =
      scales.map { Quantization(scales: $0, axis: axis) }
      ?? scale.map { Quantization(scale: $0, zeroPoint: zeroPoint) }
    type = TensorType(Element.elementType, shape, quantization: quantization)
    bytes = TensorBytes(copying: values)
    self.isConstant = isConstant
  }

  /// The same tensor as part of the model: its values are known while preparing.
  var constant: Tensor { Tensor(type, bytes, isConstant: true) }

  /// The same tensor as something that each run is given.
  var given: Tensor { Tensor(type, bytes, isConstant: false) }

  init(_ type: TensorType, _ bytes: TensorBytes, isConstant: Bool) {
    self.type = type
    self.bytes = bytes
    self.isConstant = isConstant
  }

  /// The values as stored.
  func values<Element: TensorElement>(as type: Element.Type = Element.self) -> [Element] {
    let span = bytes.span(as: Element.self)
    return span.indices.map { span[$0] }
  }
}

extension KernelSet {
  /// Every kernel set that a case must pass on.
  static let all: [KernelSet] = [.reference, .optimized]
}

/// Prepares and evaluates one node of the operator `quantized`, as the engine would; the shapes of
/// the declared `outputs` do not matter.
func evaluate(
  _ code: OperatorCode, options: (any OptionsTable)? = nil, version: Int = 1,
  _ inputs: [Tensor?], outputs: [TensorType], kernels: KernelSet = .reference,
  rounding: Rounding = .double, subgraphs: [[OperatorCode]] = []
) throws -> [Tensor] {
  guard let entry = OperatorCatalog.entry(of: code) else {
    throw KernelError.unsupported("\(code) is not in the catalog")
  }
  let node = PrepareContext(
    inputs: inputs.map { tensor in
      tensor.map {
        PrepareContext.Operand(
          $0.type, bytes: $0.isConstant ? $0.bytes : nil, isConstant: $0.isConstant)
      }
    },
    declaredOutputs: outputs, rounding: rounding, productsRoundUp: false
  ) { index in
    subgraphs.indices.contains(index) ? subgraphs[index].map { OperatorIdentity($0) } : nil
  }
  let description = NodeDescription(version: version, options: options)
  let prepared = kernels.applied(
    to: try entry.make(description).prepare(node), of: node, weights: WeightCache())
  let results = prepared.outputs.map { type in
    Tensor(type, TensorBytes(zeroed: type.byteCount ?? 0), isConstant: false)
  }
  let frame = TensorFrame(
    inputs: inputs.map { $0?.bytes }, outputs: results.map(\.bytes),
    scratch: prepared.scratch.map { TensorBytes(zeroed: $0) })
  try prepared.kernel.evaluate(frame)
  return results
}
