// SPDX-License-Identifier: Apache-2.0

import Formatting
package import Imaging
import Martlet
import ModelFormat
import Npy
import Tensors
import Traces

/// Where the inputs of a run come from, if a task of several models made them.
package struct InputOrigin: Sendable {
  /// What made them.
  package let words: String
  /// Those that are images, as images.
  package let images: [(image: PixelBuffer, caption: String)]

  /// The inputs of a model that ran for a bundle's task on an image, or were made up where it did
  /// not.
  package init(_ part: AuditedBundle.Part, imageName: String?) {
    guard let interpreter = part.interpreter, let imageName else {
      words =
        imageName.map {
          "The models before it found nothing for it in \($0.printable), so its inputs are made up."
        } ?? "The inputs are made up."
      images = []
      return
    }
    words =
      "The task of the bundle gave the model these inputs last, of \(imageName.printable)."
    images = interpreter.inputs.compactMap { input in
      guard let (type, bytes) = interpreter.tensor(input.index),
        let image = PixelBuffer(showing: type, bytes)
      else { return nil }
      return (
        image, "What the model sees: \(image.width)×\(image.height), \(type.elementType.schemaName)"
      )
    }
  }
}

extension PixelBuffer {
  /// The values of an image's tensor, `[1, rows, columns, 3]`, as an image; nil for another tensor.
  ///
  /// Black is −1 where there are negative values and 0 elsewhere; white is 1, or the type's greatest
  /// value where there are greater ones.
  fileprivate init?(showing type: TensorType, _ bytes: [UInt8]) {
    let sides = type.shape.dimensions
    guard sides.count == 4, sides[0] == 1, sides[3] == 3,
      let array = try? NpyArray(type, tensorBytes: bytes),
      let values = RealValues(type, array)?.numbers, !values.isEmpty,
      let least = values.min(), let greatest = values.max()
    else { return nil }
    let lower = least < 0 ? -1.0 : 0
    let upper = greatest > 1.5 ? 255.0 : 1
    let pixels = values.map { value -> UInt8 in
      let share = (value - lower) / (upper - lower)
      return share.isFinite ? UInt8((min(max(share, 0), 1) * 255).rounded()) : 0
    }
    try? self.init(width: sides[2], height: sides[1], format: .rgb8, bytes: pixels)
  }
}
