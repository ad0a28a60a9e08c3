// SPDX-License-Identifier: Apache-2.0

package import Tensors

extension CatalogEntry {
  static let transformLandmarks = CatalogEntry(
    custom: "TransformLandmarks",
    formula: "y[p] = (m₀₀ x[p, 0] + m₀₁ x[p, 1] + m₀₃,  m₁₀ x[p, 0] + m₁₁ x[p, 1] + m₁₃,  x[p, 2])",
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in TransformLandmarks() }
}

/// `TransformLandmarks`, version 2: points moved by a matrix.
///
/// - Input 0: points, float32, `[1, points, 2 or 3]`; a third coordinate stays as it is.
/// - Input 1: float32, 16 elements: a 4 × 4 matrix whose first two rows are read.
/// - Output: float32, of the points' shape.
///
/// MediaPipe: `transform_landmarks.cc`.
struct TransformLandmarks: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let input = try node.input(0)
    try input.expect(.float32, .input(0))
    try node.declaredOutput().expect(.float32, .output(0))
    try TransformMatrix.expect(node)
    guard input.shape.rank == 3, input.shape[0] == 1, 2...3 ~= input.shape[2] else {
      throw .invalid("points of shape \(input.shape), wanted [1, points, 2 or 3]", .input(0))
    }
    let loop = TransformLandmarksLoop(dimensions: input.shape[2])
    return Prepared(TensorType(.float32, input.shape), LoopKernel(loop))
  }
}

/// The first two rows of a 4 × 4 matrix that moves points of a plane.
package struct TransformMatrix {
  private let rows: [8 of Float]

  /// The matrix at input 1 of a node.
  static func expect(_ node: PrepareContext) throws(KernelError) {
    let matrix = try node.input(1)
    try matrix.expect(.float32, .input(1))
    guard matrix.shape.elementCount == 16 else {
      throw .invalid("a matrix of shape \(matrix.shape), wanted 16 elements", .input(1))
    }
  }

  /// The rows at the front of `elements`.
  init(_ elements: Span<Float>, _ steps: inout some Steps) {
    var rows = [8 of Float](repeating: 0)
    for index in 0..<8 { rows[index] = steps.read(elements, index) }
    self.rows = rows
  }

  /// The matrix for pixels' centers instead of their corners: moved by half a pixel before, and
  /// back behind.
  var forCenters: TransformMatrix {
    var rows = rows
    for row in [0, 4] {
      let half = Double(rows[row] * 0.5) + Double(rows[row + 1] * 0.5) - 0.5
      rows[row + 3] = Float(Double(rows[row + 3]) + half)
    }
    return TransformMatrix(rows: rows)
  }

  private init(rows: [8 of Float]) { self.rows = rows }

  /// Where a point comes to.
  func callAsFunction(_ x: Float, _ y: Float) -> (x: Float, y: Float) {
    (rows[0] * x + rows[1] * y + rows[3], rows[4] * x + rows[5] * y + rows[7])
  }
}

/// The loop of `TransformLandmarks`.
package struct TransformLandmarksLoop: SteppedLoop {
  /// Coordinates of a point.
  package let dimensions: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let points = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Float.self)
    steps.about(output.indices)
    let matrix = TransformMatrix(frame.input(1, as: Float.self), &steps)
    for start in stride(from: 0, to: output.count, by: dimensions) {
      let moved = matrix(points[start], points[start + 1])
      for (offset, value) in [moved.x, moved.y].enumerated() {
        steps.about(start + offset)
        steps.read(points, start)
        steps.read(points, start + 1)
        output[start + offset] = steps.note("moved", "by a row of the matrix", value)
      }
      guard dimensions == 3 else { continue }
      steps.about(start + 2)
      output[start + 2] = steps.moved(points, start + 2)
    }
  }
}
