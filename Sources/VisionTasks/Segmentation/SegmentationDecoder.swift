// SPDX-License-Identifier: Apache-2.0

package import Imaging
import Landmarks

/// Makes masks of a segmentation model's values.
///
/// Argmax, threshold and activations are those of MediaPipe's `TensorsToSegmentationCalculator`
/// (`tasks/cc/vision/image_segmenter/calculators`); the categories of several scores are also those
/// of the task library's `ImageSegmenter` wherever a score is above 0.
package struct SegmentationDecoder: Sendable {
  /// How the values lie.
  package let layout: SegmentationLayout
  /// What makes confidences of values.
  package let activation: SegmentationActivation
  /// A single confidence above this means foreground.
  package let threshold: Float

  /// A decoder for outputs of a layout.
  package init(
    _ layout: SegmentationLayout, activation: SegmentationActivation, threshold: Float = 0.5
  ) {
    self.layout = layout
    self.activation = activation
    self.threshold = threshold
  }

  /// The category of each pixel of the output.
  ///
  /// Of several scores, the first of the greatest decides; NaN never does, and pixels without any
  /// other score are unlabeled (255). A single confidence above the threshold is category 0, others
  /// are unlabeled. Categories that are no whole number from 0 to 255 are unlabeled.
  ///
  /// - Parameter values: as many as the layout has.
  /// - Returns: a mask of the output's size.
  /// - Throws: `VisionError.incompatibleModel` for another number of values.
  package func categories(_ values: [Float]) throws(VisionError) -> CategoryMask {
    try check(values)
    var categories = [UInt8](
      repeating: CategoryMask.unlabeled, count: layout.width * layout.height)
    switch layout.kind {
    case .categories:
      for (pixel, value) in values.enumerated() {
        if let category = UInt8(exactly: value) { categories[pixel] = category }
      }
    case .foreground:
      for (pixel, value) in values.enumerated() where isForeground(value) {
        categories[pixel] = 0
      }
    case .scores:
      let scores = values.span
      for pixel in categories.indices {
        categories[pixel] = Self.greatest(
          scores, at: pixel * layout.pixelStep, count: layout.depth, step: layout.categoryStep)
      }
    }
    return try mask(categories)
  }

  /// The position of the first of the greatest values, at most 255; 255 where all are NaN.
  private static func greatest(
    _ values: Span<Float>, at start: Int, count: Int, step: Int
  ) -> UInt8 {
    var best = (value: -Float.infinity, index: Int(CategoryMask.unlabeled))
    for index in 0..<count {
      let value = values[start + index * step]
      if value > best.value { best = (value, index) }
    }
    return UInt8(truncatingIfNeeded: best.index)
  }

  /// The category of each pixel of the image that the model's input was prepared from.
  ///
  /// Scores are resized bilinearly before the greatest of them decides, as MediaPipe does;
  /// categories are those under the middles of pixels.
  ///
  /// - Parameters:
  ///   - values: as many as the layout has.
  ///   - orientation: how the image was turned.
  ///   - placement: where the output lies in the image, not turned.
  /// - Returns: a mask of the image's size.
  /// - Throws: `VisionError` for another number of values, and for images of an impossible size.
  package func categories(
    _ values: [Float], storedAs orientation: ImageOrientation, _ placement: MaskPlacement
  ) throws(VisionError) -> CategoryMask {
    let own = layout.kind == .categories ? try categories(values) : nil
    try check(values)
    do throws(ImagingError) {
      if let own { return try own.upright(from: orientation.inverse).placed(by: placement) }
      var (best, categories) = try scores(values).upright(from: orientation.inverse)
        .greatest(placedBy: placement)
      if layout.kind == .foreground {
        for pixel in best.indices where !isForeground(best[pixel]) {
          categories[pixel] = CategoryMask.unlabeled
        }
      }
      return try CategoryMask(
        width: placement.width, height: placement.height, categories: categories)
    } catch {
      throw .image(error)
    }
  }

  private func isForeground(_ value: Float) -> Bool {
    (activation == .sigmoid ? value.sigmoid : value) > threshold
  }

  /// The values, those of a pixel being neighbors.
  private func scores(_ values: [Float]) throws(ImagingError) -> ScoreMap {
    guard layout.depth > 1, layout.order == .categoriesFirst else {
      return try ScoreMap(
        width: layout.width, height: layout.height, depth: layout.depth, values: values)
    }
    var gathered: [Float] = []
    gathered.reserveCapacity(values.count)
    for pixel in 0..<layout.width * layout.height {
      for index in 0..<layout.depth { gathered.append(values[pixel + index * layout.categoryStep]) }
    }
    return try ScoreMap(
      width: layout.width, height: layout.height, depth: layout.depth, values: gathered)
  }

  /// The confidences of each category, in the output's size; of an output of categories, none.
  ///
  /// - Parameter values: as many as the layout has.
  /// - Returns: a mask of the output's size for each category.
  /// - Throws: `VisionError.incompatibleModel` for another number of values.
  package func confidences(_ values: [Float]) throws(VisionError) -> [ConfidenceMask] {
    try check(values)
    guard layout.kind != .categories else { return [] }
    let count = layout.width * layout.height
    var planes = [[Float]](
      repeating: [Float](repeating: 0, count: count), count: layout.depth)
    var pixelValues = [Float](repeating: 0, count: layout.depth)
    for pixel in 0..<count {
      let start = pixel * layout.pixelStep
      for index in 0..<layout.depth {
        pixelValues[index] = values[start + index * layout.categoryStep]
      }
      activation.apply(to: &pixelValues)
      for index in 0..<layout.depth { planes[index][pixel] = pixelValues[index] }
    }
    return try planes.map { plane throws(VisionError) in
      do throws(ImagingError) {
        return try ConfidenceMask(width: layout.width, height: layout.height, values: plane)
      } catch {
        throw .image(error)
      }
    }
  }

  private func check(_ values: [Float]) throws(VisionError) {
    guard layout.fits(values.count) else {
      throw .incompatibleModel(
        "An output of \(layout.width)x\(layout.height) pixels with \(layout.depth) values each has \(values.count) values."
      )
    }
  }

  private func mask(_ categories: [UInt8]) throws(VisionError) -> CategoryMask {
    do throws(ImagingError) {
      return try CategoryMask(width: layout.width, height: layout.height, categories: categories)
    } catch {
      throw .image(error)
    }
  }
}
