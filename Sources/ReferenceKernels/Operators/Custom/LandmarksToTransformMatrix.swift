// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension CatalogEntry {
  static let landmarksToTransformMatrix = CatalogEntry(
    custom: "Landmarks2TransformMatrix",
    formula: """
      y = shift(center) · rotation(α) · scale(s · box / size) · shift(−size / 2),  \
      α = the angle from left to right point − target
      """,
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in LandmarksToTransformMatrix(try MatrixOptions(node)) }
}

/// `Landmarks2TransformMatrix`, version 2: where a region around some points lies, turned so that
/// two of them have a given angle.
///
/// - Input 0: points, float32, `[1, points, 3]`, in pixels; the third coordinate is not read.
/// - Output: float32, `[1, 4, 4]`: what takes a pixel of the region, `output_width` by
///   `output_height`, to the image.
///
/// The region is the smallest one around the points `subset_idxs`, enlarged by `scale_x` and
/// `scale_y`. MediaPipe: `landmarks_to_transform_matrix.cc`.
struct LandmarksToTransformMatrix: Operator {
  let options: MatrixOptions

  init(_ options: MatrixOptions) { self.options = options }

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    try input.expect(.float32, .input(0))
    try node.declaredOutput().expect(.float32, .output(0))
    guard input.shape.rank == 3, input.shape[0] == 1, input.shape[2] == 3 else {
      throw .invalid("points of shape \(input.shape), wanted [1, points, 3]", .input(0))
    }
    let points = options.subset + [options.left, options.right]
    if let point = points.first(where: { !(0..<input.shape[1] ~= $0) }) {
      throw .invalid("point \(point) of \(input.shape[1])", .input(0))
    }
    let loop = LandmarksToTransformMatrixLoop(options: options)
    return Prepared(TensorType(.float32, [1, 4, 4]), LoopKernel(loop))
  }
}

/// The options of `Landmarks2TransformMatrix`.
package struct MatrixOptions: Sendable {
  /// The points that the region surrounds.
  package let subset: [Int]
  /// The points whose direction is turned to the target.
  package let left, right: Int
  /// The angle that the direction gets, in radians.
  package let target: Float
  /// The region's size in pixels.
  package let width, height: Int
  /// How much larger than the box around the points the region is.
  package let scaleX, scaleY: Float

  /// The options in a FlexBuffer's map.
  init(_ node: NodeDescription) throws(KernelError) {
    let map = try node.flexOptions()
    subset = (map["subset_idxs"]?.vector ?? []).map { $0.int ?? -1 }
    left = map["left_rotation_idx"]?.int ?? -1
    right = map["right_rotation_idx"]?.int ?? -1
    target = map["target_rotation_radians"]?.float ?? 0
    width = map["output_width"]?.int ?? 0
    height = map["output_height"]?.int ?? 0
    scaleX = map["scale_x"]?.float ?? 0
    scaleY = map["scale_y"]?.float ?? 0
    guard 1...Int(Int32.max) ~= width, 1...Int(Int32.max) ~= height else {
      throw .invalid("output_width \(width), output_height \(height)")
    }
    guard scaleX > 0, scaleY > 0 else { throw .invalid("scale_x \(scaleX), scale_y \(scaleY)") }
    guard !subset.isEmpty else { throw .invalid("subset_idxs without points") }
  }
}

/// The loop of `Landmarks2TransformMatrix`.
package struct LandmarksToTransformMatrixLoop: SteppedLoop {
  /// The options.
  package let options: MatrixOptions

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let points = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Float.self)
    steps.about(output.indices)
    let (left, right) = (3 * options.left, 3 * options.right)
    let direction = FloatMath.atan2(
      points[right + 1] - points[left + 1], points[right] - points[left])
    let angle = steps.note(
      "angle", "\(options.target) − \(direction), the direction of the two points",
      options.target - direction)
    let (cosine, sine) = (FloatMath.cos(angle), FloatMath.sin(angle))
    var (least, most) = (
      (x: Float.infinity, y: Float.infinity), (x: -Float.infinity, y: -Float.infinity)
    )
    for point in options.subset {
      let x = steps.read(points, 3 * point)
      let y = steps.read(points, 3 * point + 1)
      let turned = (x: cosine * x - sine * y, y: sine * x + cosine * y)
      least = (min(least.x, turned.x), min(least.y, turned.y))
      most = (max(most.x, turned.x), max(most.y, turned.y))
    }
    let middle = (x: (least.x + most.x) / 2, y: (least.y + most.y) / 2)
    let centerX = steps.note(
      "center x", "of the box around the turned points", cosine * middle.x + sine * middle.y)
    let centerY = steps.note(
      "center y", "of the box around the turned points", cosine * middle.y - sine * middle.x)
    let size = (width: Float(options.width), height: Float(options.height))
    let scaleX = steps.note(
      "scale x", "box to region", options.scaleX * (most.x - least.x) / size.width)
    let scaleY = steps.note(
      "scale y", "box to region", options.scaleY * (most.y - least.y) / size.height)
    let (a, b, c, d) = (cosine * scaleX, sine * scaleY, -sine * scaleX, cosine * scaleY)
    let (shiftX, shiftY) = (-size.width / 2, -size.height / 2)
    let matrix: [16 of Float] = [
      a, b, 0, a * shiftX + b * shiftY + centerX,
      c, d, 0, c * shiftX + d * shiftY + centerY,
      0, 0, 1, 0,
      0, 0, 0, 1,
    ]
    for index in output.indices {
      steps.about(index)
      output[index] = steps.note("element", "of the product of the matrices", matrix[index])
    }
  }
}
