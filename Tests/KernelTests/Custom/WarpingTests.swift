// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// MediaPipe's operators that cut regions out of features and put points back.
@Suite struct WarpingTests {
  static let float = TensorType(.float32, [])

  /// A region around points 0 to 2; point 0 is left, point 1 is right.
  static func matrixOptions(
    subset: [Int64] = [0, 1, 2], right: Int64 = 1, scale: Double = 1, width: Int64 = 10,
    height: Int64 = 4
  ) -> [UInt8] {
    flexMap([
      "subset_idxs": .ints(subset), "left_rotation_idx": .int(0),
      "right_rotation_idx": .int(right), "target_rotation_radians": .float(0),
      "output_width": .int(width), "output_height": .int(height), "scale_x": .float(scale),
      "scale_y": .float(scale),
    ])
  }

  static func matrix(
    _ points: [Float], options: [UInt8], kernels: KernelSet = .reference
  ) throws -> [Float] {
    try evaluate(
      custom: "Landmarks2TransformMatrix", options: options,
      [Tensor([1, points.count / 3, 3], points)], outputs: [float], kernels: kernels)[0].values()
  }

  static func moved(_ matrix: [Float], _ x: Float, _ y: Float) -> [Float] {
    [
      matrix[0] * x + matrix[1] * y + matrix[3], matrix[4] * x + matrix[5] * y + matrix[7],
    ]
  }

  @Test(arguments: KernelSet.all)
  func `a region that lies straight is only moved and enlarged`(kernels: KernelSet) throws {
    // A box of 20 by 8 from (3, 5), twice as large as the region, whose pixels are moved to it.
    let matrix = try Self.matrix(
      [3, 5, 9, 23, 5, 9, 13, 13, 9], options: Self.matrixOptions(), kernels: kernels)
    #expect(matrix == [2, 0, 0, 3, 0, 2, 0, 5, 0, 0, 1, 0, 0, 0, 0, 1])
    let larger = try Self.matrix(
      [3, 5, 9, 23, 5, 9, 13, 13, 9], options: Self.matrixOptions(scale: 1.5), kernels: kernels)
    #expect(Self.moved(larger, 5, 2) == [13, 9])
    #expect(Self.moved(larger, 0, 0) == [-2, 3])
  }

  @Test func `a region is turned until its points lie level`() throws {
    // The right point is below the left one: the region's columns go down, its rows to the left.
    let matrix = try Self.matrix(
      [10, 0, 0, 10, 20, 0, 2, 10, 0], options: Self.matrixOptions())
    for (pixel, point) in [([0, 0], [10, 0]), ([10, 0], [10, 20]), ([0, 4], [2, 0])]
      as [([Float], [Float])]
    {
      let moved = Self.moved(matrix, pixel[0], pixel[1])
      #expect(abs(moved[0] - point[0]) < 1e-5 && abs(moved[1] - point[1]) < 1e-5)
    }
  }

  @Test(arguments: [
    matrixOptions(subset: [0, 3]), matrixOptions(subset: []), matrixOptions(subset: [-1]),
    matrixOptions(right: 9), matrixOptions(scale: 0), matrixOptions(width: 0),
    matrixOptions(height: 1 << 40), [],
  ])
  func `a region of points that are not there is refused`(options: [UInt8]) {
    #expect(throws: KernelError.self) {
      try Self.matrix([0, 0, 0, 1, 1, 1, 2, 2, 2], options: options)
    }
  }

  static let turned = Tensor(
    [1, 4, 4], [0, -2, 5, 10, 3, 0, 5, 20, 9, 9, 9, 9, 9, 9, 9, 9] as [Float])

  @Test(arguments: KernelSet.all)
  func `points are moved by two rows of a matrix`(kernels: KernelSet) throws {
    let spatial = try evaluate(
      custom: "TransformLandmarks", options: [],
      [Tensor([1, 2, 3], [1, 2, 3, 4, 5, 6] as [Float]), Self.turned], outputs: [Self.float],
      kernels: kernels)
    #expect(spatial[0].values() == [6, 23, 3, 0, 32, 6] as [Float])
    let planar = try evaluate(
      custom: "TransformLandmarks", options: [],
      [Tensor([1, 1, 2], [1, 2] as [Float]), Self.turned], outputs: [Self.float],
      kernels: kernels)
    #expect(planar[0].values() == [6, 23] as [Float])
  }

  static let image = Tensor([1, 2, 3, 1], [0, 10, 20, 30, 40, 50] as [Float])

  static func warped(
    _ matrix: [Float], height: Int64, width: Int64, _ kernels: KernelSet = .reference
  ) throws -> [Float] {
    try evaluate(
      custom: "TransformTensorBilinear",
      options: flexMap(["output_height": .int(height), "output_width": .int(width)]),
      [image, Tensor([1, 4, 4], matrix + [Float](repeating: 0, count: 8))], outputs: [float],
      kernels: kernels)[0].values()
  }

  @Test(arguments: KernelSet.all)
  func `a region's elements are means of four, and zero outside`(kernels: KernelSet) throws {
    let same = try Self.warped([1, 0, 0, 0, 0, 1, 0, 0], height: 2, width: 3, kernels)
    #expect(same == [0, 10, 20, 30, 40, 50])
    // Half a column to the right and half a row down.
    let between = try Self.warped([1, 0, 0, 0.5, 0, 1, 0, 0.5], height: 1, width: 3, kernels)
    #expect(between == [20, 30, 0])
    // A region of one pixel for all six: its center is the image's.
    #expect(try Self.warped([3, 0, 0, 0, 0, 2, 0, 0], height: 1, width: 1, kernels) == [25])
  }

  @Test(arguments: [.nan, .infinity, 1e30] as [Float])
  func `a location that is no number or far away gives zero`(value: Float) throws {
    let warped = try Self.warped([1, 0, 0, value, 0, 1, 0, 0], height: 1, width: 1)
    #expect(warped == [0])
  }

  @Test(arguments: KernelSet.all)
  func `pixels come from where the locations say`(kernels: KernelSet) throws {
    let locations: [Float] = [2, 1, 0.5, 0.5, -0.5, 0, 2.25, 1, 7, 0, .nan, 0]
    let resampled = try evaluate(
      custom: "Resampler", options: [], [Self.image, Tensor([1, 2, 3, 2], locations)],
      outputs: [Self.float], kernels: kernels)
    #expect(resampled[0].values() == [50, 20, 0, 37.5, 0, 0] as [Float])
  }

  @Test(arguments: [
    ("TransformLandmarks", [1, 3, 4], [1, 4, 4]), ("TransformLandmarks", [2, 3, 3], [1, 4, 4]),
    ("TransformLandmarks", [1, 3, 3], [1, 4, 3]), ("Resampler", [1, 2, 2, 1], [1, 2, 2, 1]),
    ("Resampler", [1, 2, 2, 1], [1, 2, 3, 2]),
  ])
  func `other shapes are refused`(name: String, shape: [Int], second: [Int]) {
    func zeros(_ shape: [Int]) throws -> Tensor {
      Tensor(try Shape.checked(shape), [Float](repeating: 0, count: shape.reduce(1, *)))
    }
    #expect(throws: KernelError.self) {
      try evaluate(
        custom: name, options: [], [zeros(shape), zeros(second)], outputs: [Self.float])
    }
  }
}
