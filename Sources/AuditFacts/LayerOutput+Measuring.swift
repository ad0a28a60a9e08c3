// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
import ReferenceKernels
package import Tensors
package import Traces

extension ClippedShare {
  /// How many of a tensor's values lie on the bounds of `activation`; nil where it has none.
  package init?(_ activation: FusedActivation?, _ type: TensorType, _ values: RealValues) {
    guard let activation, !values.numbers.isEmpty else { return nil }
    let bounds: (low: Double, high: Double?)
    switch activation {
    case .none, .tanh, .signBit: return nil
    case .relu: bounds = (0, nil)
    case .relu6: bounds = (0, 6)
    case .reluN1To1: bounds = (-1, 1)
    }
    self.activation = "\(activation)"
    let count = Double(values.numbers.count)
    guard let quantizedValues = values.integers, let affine = type.quantization?.perTensor,
      let range = Self.quantizedValues(activation, affine, type.elementType)
    else {
      low = Double(values.numbers.count { $0 <= bounds.low }) / count
      high = bounds.high.map { bound in Double(values.numbers.count { $0 >= bound }) / count }
      return
    }
    low = Double(quantizedValues.count { $0 <= Int64(range.lowest) }) / count
    high = bounds.high.map { _ in
      Double(quantizedValues.count { $0 >= Int64(range.highest) }) / count
    }
  }

  private static func quantizedValues(
    _ activation: FusedActivation, _ affine: Affine, _ type: ElementType
  ) -> ActivationRange<Int32>? {
    switch type {
    case .int8: try? ActivationRange(activation, output: affine, as: Int8.self)
    case .uint8: try? ActivationRange(activation, output: affine, as: UInt8.self)
    case .int16: try? ActivationRange(activation, output: affine, as: Int16.self)
    case _: nil
    }
  }
}

extension ChannelCount {
  /// The channels, along the last axis, that have one value at every position of a tensor; nil
  /// where there is only one position, or only one channel.
  package init?(constantIn type: TensorType, _ values: RealValues) {
    let dimensions = type.shape.dimensions
    guard dimensions.count == 4, let channels = dimensions.last, channels > 1,
      values.numbers.count > channels, values.numbers.count.isMultiple(of: channels)
    else { return nil }
    var isConstant = [Bool](repeating: true, count: channels)
    for start in stride(from: channels, to: values.numbers.count, by: channels) {
      for channel in 0..<channels
      where values.numbers[start + channel] != values.numbers[channel] {
        isConstant[channel] = false
      }
    }
    self.init(count: isConstant.count { $0 }, total: channels)
  }
}
