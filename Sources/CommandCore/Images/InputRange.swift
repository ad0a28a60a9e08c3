// SPDX-License-Identifier: Apache-2.0

import Formatting
package import Tensors
package import ImageInputs

/// The real numbers that a quantized input holds.
package enum InputRange {
  /// What is said where options are given to an input that takes bytes.
  package static let unusedOptions =
    "warning: for bytes, --mean and --std change nothing\n"

  /// What is said where nothing tells how images are normalized, so that they are taken as 0 to
  /// 255, and a quantized input holds other numbers; nil where it holds these, or takes bytes.
  package static func warning(_ type: TensorType) -> String? {
    guard let affine = type.quantization?.perTensor, type.elementType == .int8 else { return nil }
    let low = (-128 - Double(affine.zeroPoint)) * Double(affine.scale)
    let high = (127 - Double(affine.zeroPoint)) * Double(affine.scale)
    guard high > low, low > 5 || high < 250 else { return nil }
    let deviation = 255 / (high - low)
    let warning =
      "warning: the input holds values from \(low.short(4)) to \(high.short(4)), but without "
      + "metadata images are taken as 0 to 255"
    return warning.narrow
      + "\nhint: --mean \((-low * deviation).short(4)) --std \(deviation.short(4)) fits the input\n"
  }
}

extension ImageInput {
  /// Says where images do not fit the input because nothing tells how they are normalized, and
  /// where what options tell has no use.
  package func noteRange(_ console: any Console) {
    if type.elementType == .uint8, preprocessing.givesNormalization {
      console.note(InputRange.unusedOptions)
    }
    guard normalizationOrigin == .none, let warning = InputRange.warning(type) else { return }
    console.note(warning)
  }
}
