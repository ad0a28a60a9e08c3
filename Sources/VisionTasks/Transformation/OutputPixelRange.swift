// SPDX-License-Identifier: Apache-2.0

package import Imaging
package import Landmarks

/// What the numbers of an image that a model gives are.
public enum OutputPixelRange: String, Sendable, Hashable, CaseIterable {
  /// From 0 to 255.
  case bytes
  /// From 0 to 1.
  case fractions
  /// From −1 to 1.
  case signed

  /// The range that ends closest to the least and the greatest number.
  package init(minimum: Float, maximum: Float) {
    self = maximum > 2 ? .bytes : minimum < -0.25 ? .signed : .fractions
  }

  /// The range of what images become by a normalization: that of black and white.
  package init(of normalization: Normalization) {
    let ends = zip(normalization.mean, normalization.standardDeviation).map {
      Normalization.ends(mean: $0, deviation: $1)
    }
    let edges = ends.flatMap { [$0.black, $0.white] }
    self.init(minimum: edges.min() ?? 0, maximum: edges.max() ?? 255)
  }

  /// The numbers that are black and white.
  package var ends: PixelValueRange {
    switch self {
    case .bytes: .bytes
    case .fractions: .unit
    case .signed: .symmetric
    }
  }

  /// The image of numbers `[1, rows, columns, channels]`, with one channel or three.
  ///
  /// - Throws: `VisionError.incompatibleModel` for outputs of other shapes.
  package func image(_ output: OutputValues) throws(VisionError) -> PixelBuffer {
    let sides = output.shape
    guard sides.count == 4, sides[0] == 1, sides[3] == 1 || sides[3] == 3,
      output.values.count == sides[1] * sides[2] * sides[3]
    else {
      throw .incompatibleModel(
        "An output \(sides) is no image of 1 x height x width x 3, or x 1.")
    }
    do throws(ImagingError) {
      return try PixelBuffer(
        width: sides[2], height: sides[1], format: sides[3] == 1 ? .grey8 : .rgb8,
        bytes: ends.bytes(of: output.values))
    } catch {
      throw .image(error)
    }
  }
}
