// SPDX-License-Identifier: Apache-2.0

import Formatting
import ImageCodecs
import Imaging
import Npy
import Tensors

/// An output as an image.
///
/// Outputs `[1, height, width, channels]`, or without the first axis, are images of 1, 3 or 4
/// channels. Bytes of uint8 outputs without a scale are taken as they are, and other values by
/// their range: from 0 to 1, from -1 to 1 or from 0 to 255, or whatever the least and the greatest
/// are. Outputs with more channels, and integers `[1, height, width]`, are maps of classes: each
/// pixel has the color of the channel with the greatest value, or of the integer.
struct OutputImage {
  let image: PixelBuffer
  /// How values became bytes.
  let mapping: String

  /// The sides of the image that an output of a shape is; nil for other shapes.
  static func size(_ shape: [Int]) -> (height: Int, width: Int, format: PixelFormat)? {
    let sides = shape.count == 4 && shape[0] == 1 ? Array(shape.dropFirst()) : shape
    let formats: [Int: PixelFormat] = [1: .grey8, 3: .rgb8, 4: .rgba8]
    guard sides.count == 3, sides[0] > 1, sides[1] > 1, let format = formats[sides[2]] else {
      return nil
    }
    return (sides[0], sides[1], format)
  }

  /// Whether outputs of a type are most probably images or maps of classes.
  static func isOne(_ type: TensorType) -> Bool {
    let sides = type.shape.dimensions
    let isMap = sides.count == 3 && sides[0] == 1 && type.elementType.countsClasses
    return size(sides) != nil || isMap && sides[1] > 16 && sides[2] > 16
  }

  /// The image that `output` is; nil where it is none.
  init?(_ output: RunOutputs.Output) {
    if let map = Self.classMap(output) {
      (image, mapping) = (map, "a color for each class")
      return
    }
    guard let (height, width, format) = Self.size(output.type.shape.dimensions) else { return nil }
    let bytes: [UInt8]
    if output.type.elementType == .uint8, output.type.quantization == nil {
      (bytes, mapping) = (output.array.bytes, "the bytes as they are")
    } else {
      let values = output.scores
      guard values.count == output.type.shape.elementCount, let least = values.min(),
        let most = values.max(), least.isFinite, most.isFinite
      else { return nil }
      let (low, high) = Self.range(least, most)
      let scale = high > low ? 255 / (high - low) : 0
      bytes = values.map { UInt8(min(max((($0 - low) * scale).rounded(), 0), 255)) }
      mapping = "\(low.short()) is black, \(high.short()) is white"
    }
    guard
      let image = try? PixelBuffer(width: width, height: height, format: format, bytes: bytes)
    else { return nil }
    self.image = image
  }

  /// The map of classes that `output` is, in colors; nil where it is none.
  private static func classMap(_ output: RunOutputs.Output) -> PixelBuffer? {
    let shape = output.type.shape.dimensions
    let isWhole = output.type.elementType.countsClasses && output.type.quantization == nil
    let values = output.array.realNumbers
    var classes: [Int]
    if shape.count == 3, shape[0] == 1, isWhole {
      classes = values.compactMap { Int(exactly: $0) }
    } else if shape.count == 4, shape[0] == 1, shape[3] > 4,
      values.count == output.type.shape.elementCount
    {
      classes = stride(from: 0, to: values.count, by: shape[3]).map { start in
        let scores = values[start..<start + shape[3]]
        return (scores.max().flatMap(scores.firstIndex) ?? start) - start
      }
    } else {
      return nil
    }
    guard shape[1] > 1, shape[2] > 1, classes.count == shape[1] * shape[2] else { return nil }
    let bytes = classes.flatMap { index -> [UInt8] in
      let color = PixelColor.distinct(index)
      return [color.red, color.green, color.blue]
    }
    return try? PixelBuffer(width: shape[2], height: shape[1], format: .rgb8, bytes: bytes)
  }

  /// The usual range that holds the values, which may be a little beyond it.
  private static func range(_ least: Double, _ most: Double) -> (Double, Double) {
    let usual: [(Double, Double)] = [(0, 1), (-1, 1), (0, 255)]
    return usual.first { low, high in
      let margin = 0.05 * (high - low)
      return least >= low - margin && most <= high + margin
    } ?? (least, most)
  }
}

extension RunOutputs {
  /// Writes the first output that is an image as a PNG file; returns its path.
  func writeImage(
    to path: String, model: String, _ console: any Console
  ) throws(CommandError) -> String {
    for (position, output) in outputs.enumerated() {
      guard let image = OutputImage(output) else { continue }
      let file: [UInt8]
      do throws(PNGError) { file = try image.image.encodedAsPNG() } catch {
        throw .data("\(error)", location: model)
      }
      try console.write(file, to: path)
      console.note("output \(position) as an image: \(image.mapping)\n")
      return path
    }
    let shapes = outputs.map { "\($0.type.shape)" }.joined(separator: ", ")
    throw .data(
      "no output is an image, [1, height, width, channels]: \(shapes)", location: model,
      hint: "--output-dir stores any output")
  }

  /// What else the command could show.
  func hint(hasImage: Bool) -> String? {
    if !hasImage,
      let position = listed.firstIndex(where: { OutputImage.isOne($0.type) })
    {
      return "--image OUT.png writes output \(position) as an image"
    }
    if let position = listed.firstIndex(where: \.seemsToBeClasses) {
      return "--labels FILE names the classes of output \(position), one per line"
    }
    return nil
  }
}

extension ElementType {
  /// Whether elements may be numbers of classes.
  fileprivate var countsClasses: Bool {
    switch self {
    case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64: true
    case _: false
    }
  }
}
