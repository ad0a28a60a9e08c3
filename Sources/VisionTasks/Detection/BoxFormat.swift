// SPDX-License-Identifier: Apache-2.0

package import MetadataFormat

/// What the four numbers of a finished box are.
package struct BoxFormat: Equatable {
  /// The positions of the numbers in the order of their type, such as left, top, right, bottom.
  private let locations: [Int]
  private let type: BoundingBoxProperties.BoxType
  /// Numbers are divided by these: 1 where they are fractions, or else the input's size.
  private let (width, height): (Float, Float)

  /// Top, left, bottom, right as fractions: what `TFLite_Detection_PostProcess` writes.
  package static let postProcess = BoxFormat(
    locations: [1, 0, 3, 2], type: .boundaries, size: (1, 1))

  /// A format of these parts; `size` is what the numbers are divided by.
  package init(
    locations: [Int], type: BoundingBoxProperties.BoxType, size: (width: Float, height: Float)
  ) {
    self.locations = locations
    self.type = type
    (width, height) = size
  }

  /// What the metadata says about boxes of images of a size.
  ///
  /// - Throws: `VisionError.incompatibleModel` where it makes no sense.
  init(
    _ properties: BoundingBoxProperties, width: Int, height: Int
  ) throws(VisionError) {
    let locations = properties.index.isEmpty ? [0, 1, 2, 3] : properties.index
    guard locations.sorted() == [0, 1, 2, 3] else {
      throw .incompatibleModel(
        "Expected BoundingBoxProperties index to have the numbers 0 to 3, got \(properties.index).")
    }
    guard properties.type != .unknown else {
      throw .incompatibleModel("The metadata does not say of which type the bounding boxes are.")
    }
    let size: (Float, Float) =
      switch properties.coordinateType {
      case .ratio: (1, 1)
      case .pixel: (Float(width), Float(height))
      }
    self.init(locations: locations, type: properties.type, size: size)
  }

  /// The box in four numbers of `values`, from `start` on.
  package func box(_ values: [Float], at start: Int, score: Float, classIndex: Int) -> BoxDetection
  {
    let first = values[start + locations[0]] / width
    let second = values[start + locations[1]] / height
    let third = values[start + locations[2]] / width
    let fourth = values[start + locations[3]] / height
    let edges: (left: Float, top: Float, right: Float, bottom: Float) =
      switch type {
      case .unknown, .boundaries: (first, second, third, fourth)
      case .upperLeft: (first, second, first + third, second + fourth)
      case .center:
        (first - third / 2, second - fourth / 2, first + third / 2, second + fourth / 2)
      }
    return BoxDetection(
      left: edges.left, top: edges.top, right: edges.right, bottom: edges.bottom, score: score,
      classIndex: classIndex)
  }
}
