// SPDX-License-Identifier: Apache-2.0

/// How the values of a segmentation model's output are to be read.
package struct SegmentationLayout: Sendable, Equatable {
  /// What the values of a pixel are.
  package enum Kind: Sendable, Equatable {
    /// One value for each of several categories.
    case scores
    /// One value: how sure the model is that the pixel belongs to the foreground.
    case foreground
    /// One whole number: the category.
    case categories
  }

  /// Where the categories lie in an output of four dimensions.
  package enum Order: Sendable, Equatable {
    /// `[1, height, width, categories]`.
    case categoriesLast
    /// `[1, categories, height, width]`.
    case categoriesFirst
  }

  /// Columns of the output.
  package let width: Int
  /// Rows of the output.
  package let height: Int
  /// Values for each pixel.
  package let depth: Int
  /// What the values are.
  package let kind: Kind
  /// Where categories lie.
  package let order: Order

  /// The most categories: masks have a byte for each pixel.
  package static let largestDepth = 256
  private static let largestSide = 1 << 15

  /// The layout of an output `[1, height, width, n]`, `[height, width, n]`, `[1, height, width]` or
  /// `[height, width]`, or with the categories first.
  ///
  /// - Parameters:
  ///   - shape: the output's shape.
  ///   - holdsCategories: whether values are categories already: whole numbers of a type without
  ///     quantization.
  ///   - order: where the categories lie.
  /// - Throws: `VisionError.incompatibleModel` for outputs that are no image.
  package init(
    shape: [Int], holdsCategories: Bool, order: Order = .categoriesLast
  ) throws(VisionError) {
    guard [2, 3, 4].contains(shape.count), shape.allSatisfy({ $0 >= 1 }) else {
      throw .incompatibleModel(
        "Output tensor is expected to have 4 dimensions, found \(shape.count).")
    }
    var sides = shape
    if sides.count == 4 {
      guard sides[0] == 1 else {
        throw .incompatibleModel("Expected batch size of 1, found \(sides[0]).")
      }
      sides.removeFirst()
    }
    if sides.count == 2 || sides.count == 3 && sides[0] == 1 && shape.count == 3 {
      sides = Array(sides.suffix(2)) + [1]
    } else if order == .categoriesFirst {
      sides = [sides[1], sides[2], sides[0]]
    }
    (height, width, depth) = (sides[0], sides[1], sides[2])
    self.order = order
    guard max(width, height) <= Self.largestSide else {
      throw .incompatibleModel("An output of \(width)x\(height) pixels is too large for a mask.")
    }
    guard depth <= Self.largestDepth else {
      throw .incompatibleModel(
        "Expected at most \(Self.largestDepth) output classes, found \(depth).")
    }
    if holdsCategories, depth > 1 {
      throw .incompatibleModel("Categories need one number for each pixel, found \(depth).")
    }
    kind = holdsCategories ? .categories : depth == 1 ? .foreground : .scores
  }

  /// Whether `count` values are as many as the layout says.
  func fits(_ count: Int) -> Bool { count == width * height * depth }

  /// From a pixel's value of one category to that of the next.
  var categoryStep: Int { order == .categoriesLast ? 1 : width * height }

  /// From a pixel to the next.
  var pixelStep: Int { order == .categoriesLast ? depth : 1 }
}
