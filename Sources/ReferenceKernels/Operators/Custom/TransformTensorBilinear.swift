// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let transformTensorBilinear = CatalogEntry(
    custom: "TransformTensorBilinear",
    formula: "y[r, c] = x at m · (c + ½, r + ½) − ½, a mean of four;  outside 0",
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    let map = try node.flexOptions()
    return TransformTensorBilinear(
      height: map["output_height"]?.int ?? 0, width: map["output_width"]?.int ?? 0)
  }
}

/// `TransformTensorBilinear`, version 2: a region of an image or of features, by a matrix.
///
/// - Input 0: features, float32, `[1, height, width, depth]`.
/// - Input 1: float32, 16 elements: a 4 × 4 matrix from the region's pixels to those of input 0.
/// - Output: float32, `[1, output_height, output_width, depth]`.
///
/// Each element is a mean of the four around its location; a location beyond the outer elements'
/// centers gives 0. MediaPipe: `transform_tensor_bilinear.cc`.
struct TransformTensorBilinear: Operator {
  let height: Int
  let width: Int

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let input = try node.input(0)
    try input.expect(.float32, .input(0))
    try node.declaredOutput().expect(.float32, .output(0))
    try TransformMatrix.expect(node)
    let shape = try node.image(0)
    guard shape[0] == 1 else { throw .invalid("a batch of \(shape[0]), wanted 1", .input(0)) }
    guard height > 0, width > 0 else {
      throw .invalid("output_height \(height), output_width \(width)")
    }
    let loop = TransformTensorBilinearLoop(
      height: shape[1], width: shape[2], depth: shape[3], outputWidth: width)
    return Prepared(
      TensorType(.float32, try Shape.checked([1, height, width, shape[3]])), LoopKernel(loop))
  }
}

/// The loop of `TransformTensorBilinear`.
package struct TransformTensorBilinearLoop: SteppedLoop {
  /// Rows of the input.
  package let height: Int
  /// Columns of the input.
  package let width: Int
  /// Channels.
  package let depth: Int
  /// Columns of the output.
  package let outputWidth: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Float.self)
    guard !output.isEmpty else { return }
    steps.about(output.indices)
    let matrix = TransformMatrix(frame.input(1, as: Float.self), &steps).forCenters
    for pixel in 0..<output.count / depth {
      let (row, column) = pixel.quotientAndRemainder(dividingBy: outputWidth)
      let location = matrix(Float(column), Float(row))
      let isInside =
        location.x >= 0 && location.x <= Float(width - 1) && location.y >= 0
        && location.y <= Float(height - 1)
      for channel in 0..<depth {
        let target = pixel * depth + channel
        steps.about(target)
        steps.note("x", "the location's column", location.x)
        steps.note("y", "the location's row", location.y)
        guard isInside else {
          steps.filled("zero outside of the input")
          output[target] = 0
          continue
        }
        output[target] = value(input, at: location, channel, &steps)
      }
    }
  }

  /// The mean of the four elements around a location inside.
  @inline(__always)
  private func value(
    _ input: Span<Float>, at location: (x: Float, y: Float), _ channel: Int,
    _ steps: inout some Steps
  ) -> Float {
    let (left, top) = (location.x.rounded(.down), location.y.rounded(.down))
    // The fractions' complements are double in the original, and so are the sums.
    let (toRight, down) = (location.x - left, location.y - top)
    let (toLeft, up) = (1 - Double(toRight), 1 - Double(down))
    func element(_ row: Int, _ column: Int, _ steps: inout some Steps) -> Float {
      guard row < height, column < width else { return 0 }
      return steps.read(input, (row * width + column) * depth + channel)
    }
    func mean(_ row: Int, _ steps: inout some Steps) -> Float {
      let first = element(row, Int(left), &steps)
      let second = element(row, Int(left) + 1, &steps)
      return Float(toLeft * Double(first) + Double(toRight * second))
    }
    let upper = steps.note("upper", "a mean of two neighbors", mean(Int(top), &steps))
    let lower = steps.note("lower", "a mean of the two below", mean(Int(top) + 1, &steps))
    return steps.note(
      "mean", "of both rows, each with its share", Float(Double(down * lower) + up * Double(upper)))
  }
}
