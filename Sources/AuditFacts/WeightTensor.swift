// SPDX-License-Identifier: Apache-2.0

import Compression
package import Martlet
import ModelFormat
import Npy
package import Tensors
import Traces

/// What a constant of the main graph holds.
package struct WeightTensor: Sendable {
  package let tensor: Int
  package let name: String
  package let type: TensorType
  package let byteCount: Int
  package let minimum: Double?
  package let maximum: Double?
  package let zeroShare: Double
  /// How many of the quantized values that the type has occur; nil for types of more than 8 bits.
  package let usedValues: Int?
  /// How many quantized values the type has.
  package let quantizedCount: Int?
  /// The least and the greatest scale of the slices; nil where there is one scale or none.
  package let scaleRange: ClosedRange<Float>?
  /// The constant that has the same bytes and type, in another buffer.
  package var duplicateOf: Int?

  /// The constants of a model's main graph that have numbers, in the file's order.
  package static func all(of model: Model) -> [WeightTensor] {
    var seen: [String: Int] = [:]
    var weights: [WeightTensor] = []
    for (index, tensor) in model.file.subgraphs[0].tensors.enumerated() {
      guard let bytes = try? model.constant(tensor), bytes.byteCount > 0,
        let array = try? NpyArray(tensor.type, tensorBytes: bytes.array()),
        let values = RealValues(tensor.type, array)
      else { continue }
      var weight = WeightTensor(index, tensor, byteCount: bytes.byteCount, values)
      // Small constants repeat by chance: sizes, axes, zero biases.
      if bytes.byteCount >= 256 {
        let key =
          "\(tensor.type.elementType.schemaName) "
          + SHA256.hexadecimalDigest(bytes.span(as: UInt8.self))
        if let first = seen[key] {
          if model.file.subgraphs[0].tensors[first].buffer != tensor.buffer {
            weight.duplicateOf = first
          }
        } else {
          seen[key] = index
        }
      }
      weights.append(weight)
    }
    return weights
  }

  private init(
    _ index: Int, _ tensor: ModelFile.Tensor, byteCount: Int, _ values: RealValues
  ) {
    self.tensor = index
    self.byteCount = byteCount
    name = tensor.name
    type = tensor.type
    let finite = values.numbers.lazy.filter(\.isFinite)
    minimum = finite.min()
    maximum = finite.max()
    let zeros = values.numbers.count { $0 == 0 }
    zeroShare = values.numbers.isEmpty ? 0 : Double(zeros) / Double(values.numbers.count)
    let bits = tensor.type.elementType.bitCount ?? 64
    if bits <= 8, tensor.type.elementType != .bool, let quantizedValues = values.integers {
      usedValues = Set(quantizedValues).count
      quantizedCount = 1 << bits
    } else {
      (usedValues, quantizedCount) = (nil, nil)
    }
    if let scales = tensor.type.quantization?.scales, scales.count > 1, let least = scales.min(),
      let most = scales.max(), least <= most
    {
      scaleRange = least...most
    } else {
      scaleRange = nil
    }
  }
}
