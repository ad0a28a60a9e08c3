// SPDX-License-Identifier: Apache-2.0

public import Imaging

/// What a segmentation model says about the pixels of an image.
public struct Segmentation: Sendable {
  /// A category with its names and the color in which images show it.
  public struct ColoredLabel: Sendable, Hashable {
    /// The category's position in the model's output.
    public let index: Int
    /// The class name; empty where the model has no labels.
    public let className: String
    /// The name for people in the chosen language; nil where the model has none.
    public let displayName: String?
    /// The color; see `PixelColor.segmentation(_:)`.
    public let color: PixelColor

    /// The display name, or else the class name.
    public var label: String { displayName ?? className }

    /// The label, or the number of a category without one.
    package var text: String { label.isEmpty ? "class \(index)" : label }
  }

  /// The category of each pixel, not turned: in the orientation of the image as stored.
  public let categoryMask: CategoryMask
  /// How sure the model is of each category at each pixel, in the same orientation; empty unless
  /// they were asked for, and of models that give categories only.
  public let confidenceMasks: [ConfidenceMask]
  /// The model's categories by index.
  public let labels: [ColoredLabel]
  /// How good the model takes each mask to be, where it has an output for that; else empty.
  public let qualityScores: [Float]

  /// A category that the image has, and how much of it.
  public struct Share: Sendable, Hashable {
    /// The category.
    public let label: ColoredLabel
    /// Pixels of the category.
    public let pixelCount: Int
    /// The part of all pixels, from 0 to 1.
    public let part: Double
  }

  /// The categories that the image has, the largest first; equal ones by index.
  ///
  /// What is unlabeled does not count.
  public var shares: [Share] {
    let counts = categoryMask.pixelCounts
    let all = Double(categoryMask.categories.count)
    return labels.filter { counts.indices.contains($0.index) && counts[$0.index] > 0 }
      .map { label in
        Share(
          label: label, pixelCount: counts[label.index], part: Double(counts[label.index]) / all)
      }
      .sorted { ($1.pixelCount, $0.label.index) < ($0.pixelCount, $1.label.index) }
  }

  /// The style that shows all categories but the background.
  ///
  /// That is category 0, unless it is the only one: it is the foreground then, and has the color of
  /// category 1.
  public var usualStyle: MaskStyle {
    var style = MaskStyle()
    if labels.count == 1 {
      style.hidden = [CategoryMask.unlabeled]
      style.colors[0] = .segmentation(1)
    }
    return style
  }

  /// The image with its categories drawn over it.
  ///
  /// - Parameters:
  ///   - image: the image as stored, in any size.
  ///   - style: colors, opacity and outlines; `usualStyle` where it is nil.
  ///   - hasLegend: whether a list of the categories in the image is drawn too.
  /// - Returns: the image, in the same format.
  public func overlay(
    on image: PixelBuffer, style: MaskStyle? = nil, hasLegend: Bool = false
  ) -> PixelBuffer {
    let style = style ?? usualStyle
    let overlaid = image.overlaid(with: categoryMask, style: style)
    guard hasLegend else { return overlaid }
    let shown = shares.map(\.label).filter {
      !style.hidden.contains(UInt8(truncatingIfNeeded: $0.index))
    }
    return overlaid.withLegend(
      shown.map { ($0.text, style.color(UInt8(truncatingIfNeeded: $0.index))) })
  }

  /// How much each pixel belongs to one of some categories: the sum of their confidences, or 1 and
  /// 0 by the category mask where there are none.
  ///
  /// - Parameter categories: the categories of the foreground; nil for all but 0 of models with
  ///   several categories, and for category 0 of those with a single confidence.
  /// - Returns: a mask from 0 to 1 for `PixelBuffer.cutOut(by:)` and
  ///   `PixelBuffer.composited(over:by:)`.
  /// - Throws: `VisionError.invalidOption` for a category that the model does not have.
  public func foreground(of categories: Set<Int>? = nil) throws(VisionError) -> ConfidenceMask {
    let wanted = categories ?? (labels.count > 1 ? Set(1..<labels.count) : [0])
    guard wanted.allSatisfy({ (0..<max(labels.count, 1)).contains($0) }) else {
      throw .invalidOption("the model has \(labels.count) categories")
    }
    var values: [Float]
    if confidenceMasks.isEmpty {
      values = categoryMask.categories.map { wanted.contains(Int($0)) ? 1 : 0 }
    } else {
      values = [Float](repeating: 0, count: categoryMask.categories.count)
      for index in wanted.sorted() where confidenceMasks.indices.contains(index) {
        for (pixel, value) in confidenceMasks[index].values.enumerated() { values[pixel] += value }
      }
    }
    do throws(ImagingError) {
      return try ConfidenceMask(
        width: categoryMask.width, height: categoryMask.height, values: values)
    } catch {
      throw .image(error)
    }
  }
}
