// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct ResizeTests {
  static func size(_ height: Int32, _ width: Int32) -> Tensor {
    Tensor([2], [height, width]).constant
  }

  static func bilinear(
    aligned: Bool = false, centered: Bool = false
  ) -> ResizeBilinearOptions {
    var options = ResizeBilinearOptions()
    options.alignsCorners = aligned
    options.halfPixelCenters = centered
    return options
  }

  static func nearest(
    aligned: Bool = false, centered: Bool = false
  ) -> ResizeNearestNeighborOptions {
    var options = ResizeNearestNeighborOptions()
    options.alignsCorners = aligned
    options.halfPixelCenters = centered
    return options
  }

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    var aligned = false
    var centered = false
    let width: Int32
    let linear: [Float]
    let nearest: [Float]
  }

  /// The row [0, 10, 20] at another width; positions are in pixels of the input.
  static let rows = [
    // 0, ½, 1, 1½, 2, 2½
    Row(
      testDescription: "corner grid", width: 6, linear: [0, 5, 10, 15, 20, 20],
      nearest: [0, 0, 10, 10, 20, 20]),
    // −¼, ¼, ¾, 1¼, 1¾, 2¼; at the edges both neighbors are one pixel
    Row(
      testDescription: "half pixel centers", centered: true, width: 6,
      linear: [0, 2.5, 7.5, 12.5, 17.5, 20], nearest: [0, 0, 10, 10, 20, 20]),
    // 0, ½, 1, 1½, 2; halves away from zero
    Row(
      testDescription: "aligned corners", aligned: true, width: 5,
      linear: [0, 5, 10, 15, 20], nearest: [0, 10, 10, 20, 20]),
    Row(testDescription: "one pixel", aligned: true, width: 1, linear: [0], nearest: [0]),
  ]

  @Test(arguments: KernelSet.all, rows)
  func `locations are spread over the image`(kernels: KernelSet, row: Row) throws {
    let image = Tensor([1, 1, 3, 1], [0, 10, 20] as [Float])
    let output = TensorType(.float32, [])
    let linear = try evaluate(
      .resizeBilinear, options: Self.bilinear(aligned: row.aligned, centered: row.centered),
      [image, Self.size(1, row.width)], outputs: [output], kernels: kernels)
    #expect(linear[0].type.shape == [1, 1, Int(row.width), 1])
    #expect(linear[0].values() == row.linear)
    let nearest = try evaluate(
      .resizeNearestNeighbor, options: Self.nearest(aligned: row.aligned, centered: row.centered),
      [image, Self.size(1, row.width)], outputs: [output], kernels: kernels)
    #expect(nearest[0].values() == row.nearest)
  }

  /// Between −1 and 2, halfway: 0.5 for both types; int8 rounds it away from zero.
  @Test(arguments: KernelSet.all)
  func `codes are rounded to the nearest`(kernels: KernelSet) throws {
    let signed = try evaluate(
      .resizeBilinear, options: Self.bilinear(),
      [Tensor([1, 1, 2, 1], [-1, 2] as [Int8], scale: 1), Self.size(1, 4)],
      outputs: [TensorType(.int8, [], quantization: Quantization(scale: 1))], kernels: kernels)
    #expect(signed[0].values() == [-1, 1, 2, 2] as [Int8])
    let unsigned = try evaluate(
      .resizeBilinear, options: Self.bilinear(),
      [Tensor([1, 2, 1, 1], [1, 4] as [UInt8], scale: 1), Self.size(4, 1)],
      outputs: [TensorType(.uint8, [], quantization: Quantization(scale: 1))], kernels: kernels)
    #expect(unsigned[0].values() == [1, 3, 4, 4] as [UInt8])
  }

  @Test(arguments: KernelSet.all)
  func `the middle of four pixels is their mean`(kernels: KernelSet) throws {
    let middle = try evaluate(
      .resizeBilinear, options: Self.bilinear(centered: true),
      [Tensor([1, 2, 2, 1], [0, 4, 8, 20] as [Int16], scale: 1), Self.size(1, 1)],
      outputs: [TensorType(.int16, [], quantization: Quantization(scale: 1))], kernels: kernels)
    #expect(middle[0].values() == [8] as [Int16])
  }

  @Test func `contradictory options and bad sizes are refused`() {
    let image = Tensor([1, 1, 1, 1], [0] as [Float])
    let output = TensorType(.float32, [])
    #expect(throws: KernelError.self) {
      try evaluate(
        .resizeBilinear, options: Self.bilinear(aligned: true, centered: true),
        [image, Self.size(2, 2)], outputs: [output])
    }
    for (height, width) in [(0, 1), (1, -1), (.max, .max)] as [(Int32, Int32)] {
      #expect(throws: KernelError.self) {
        try evaluate(
          .resizeBilinear, options: Self.bilinear(), [image, Self.size(height, width)],
          outputs: [output])
      }
    }
    #expect(throws: KernelError.self) {
      try evaluate(
        .resizeNearestNeighbor, [Tensor([1, 0, 1, 1], [] as [Float]), Self.size(1, 1)],
        outputs: [output])
    }
  }
}
