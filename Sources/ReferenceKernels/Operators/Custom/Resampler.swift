// SPDX-License-Identifier: Apache-2.0

package import Tensors

extension CatalogEntry {
  static let resampler = CatalogEntry(
    custom: "Resampler",
    formula: "y[b, r, c] = x[b] at warp[b, r, c], a mean of four;  outside 0",
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in Resampler() }
}

/// `Resampler`: images whose pixels come from given locations.
///
/// - Input 0: images, float32, `[batch, height, width, depth]`.
/// - Input 1: for each pixel of the result, the column and row that it comes from, float32,
///   `[batch, height, width, 2]`.
/// - Output: float32, of the images' shape.
///
/// Each element is a mean of the four around its location; those outside count 0.
/// MediaPipe: `resampler.cc`.
struct Resampler: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, warp) = (try node.input(0), try node.input(1))
    try input.expect(.float32, .input(0))
    try warp.expect(.float32, .input(1))
    try node.declaredOutput().expect(.float32, .output(0))
    let shape = try node.image(0)
    guard try node.image(1) == [shape[0], shape[1], shape[2], 2] else {
      throw .invalid("locations of shape \(warp.shape) for \(shape)", .input(1))
    }
    let loop = ResamplerLoop(height: shape[1], width: shape[2], depth: shape[3])
    return Prepared(TensorType(.float32, shape), LoopKernel(loop))
  }
}

/// The loop of `Resampler`.
package struct ResamplerLoop: SteppedLoop {
  /// Rows of an image.
  package let height: Int
  /// Columns of an image.
  package let width: Int
  /// Channels.
  package let depth: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    let warp = frame.input(1, as: Float.self)
    var output = frame.output(0, as: Float.self)
    guard !output.isEmpty else { return }
    for pixel in 0..<output.count / depth {
      let (x, y) = (warp[2 * pixel], warp[2 * pixel + 1])
      let isNear = x > -1 && y > -1 && x < Float(width) && y < Float(height)
      let image = pixel / (height * width) * height * width
      for channel in 0..<depth {
        let target = pixel * depth + channel
        steps.about(target)
        steps.note("x", "the location's column", steps.read(warp, 2 * pixel))
        steps.note("y", "the location's row", steps.read(warp, 2 * pixel + 1))
        guard isNear else {
          steps.filled("zero outside of the image")
          output[target] = 0
          continue
        }
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (dx, dy) = (Float(left + 1) - x, Float(top + 1) - y)
        func share(_ row: Int, _ column: Int, _ share: Float, _ steps: inout some Steps) -> Float {
          guard 0..<height ~= row, 0..<width ~= column else { return steps.term(share * 0) }
          let index = (image + row * width + column) * depth + channel
          return steps.term(share * input[index], of: input, index)
        }
        let a = share(top, left, dx * dy, &steps)
        let b = share(top + 1, left + 1, (1 - dx) * (1 - dy), &steps)
        let c = share(top + 1, left, dx * (1 - dy), &steps)
        let d = share(top, left + 1, (1 - dx) * dy, &steps)
        output[target] = steps.note(
          "sum", "of the four neighbors, each with its share", a + b + c + d)
      }
    }
  }
}
