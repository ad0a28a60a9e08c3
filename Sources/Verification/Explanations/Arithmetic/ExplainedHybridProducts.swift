// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension HybridConvolution: ExplainedProducts {
  func product(_ input: Int8, _ filter: Int8, channel: Int) -> StoredValue {
    .integer((Int(input) - Int(self.input.zeroPoint)) * Int(filter))
  }

  func finish(
    _ products: [StoredValue], bias: Float?, channel: Int, _ steps: inout StepList
  ) -> StoredValue {
    let scale = steps.tell(input, filterScales.count == 1 ? filterScales[0] : filterScales[channel])
    let scaled = real(
      steps.sum(products, as: Int32.self), weightScale: scale, &steps)
    return .float(steps.clamp(steps.addBias(scaled, bias), range))
  }

  /// What a sum of products of codes stands for.
  func real(_ sum: Int32, weightScale: Float, _ steps: inout StepList) -> Float {
    switch scaling {
    case .byProduct:
      let factor = steps.add(
        "factor", "\(input.scale) × \(weightScale.operand)", float: input.scale * weightScale)
      return steps.add("product", "\(sum) × \(factor.operand)", float: Float(sum) * factor)
    case .inTurn:
      let first = steps.add(
        "product", "\(sum) × \(weightScale.operand)", float: Float(sum) * weightScale)
      return steps.add(
        "product", "\(first) × \(input.scale.operand)", float: first * input.scale)
    }
  }
}

extension ScatteredHybridConvolution: ExplainedProducts {
  func product(_ input: Int8, _ filter: Int8, channel: Int) -> StoredValue {
    let product = (Int32(input) &- self.input.zeroPoint) &* Int32(filter)
    return .float(Float(product) * scale(of: channel) * self.input.scale)
  }

  func finish(
    _ products: [StoredValue], bias: Float?, channel: Int, _ steps: inout StepList
  ) -> StoredValue {
    _ = steps.tell(input, scale(of: channel))
    return .float(steps.clamp(steps.addBias(steps.sum(products), bias), range))
  }

  private func scale(of channel: Int) -> Float {
    filterScales.count == 1 ? filterScales[0] : filterScales[channel]
  }
}

extension StepList {
  /// What the codes of a picture and the weights of a channel stand for; returns the latter.
  fileprivate mutating func tell(_ input: Affine, _ filterScale: Float) -> Float {
    tell(input, of: "this picture's activations")
    return add("weight scale", "of this channel", float: filterScale)
  }

  /// What the codes of activations that are quantised together stand for.
  mutating func tell(_ input: Affine, of activations: String) {
    add("input scale", "from the range of \(activations)", .float(input.scale))
    add("input zero point", "the code of zero", StoredValue(integer: input.zeroPoint))
  }
}
