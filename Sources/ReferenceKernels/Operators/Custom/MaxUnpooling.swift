// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let maxUnpooling = CatalogEntry(
    custom: "MaxUnpooling2D", formula: "y[position[i…]] = x[i…],   elsewhere 0",
    variants: "f32", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in MaxUnpooling(options: try ImageWindowOptions(node)) }

  static let liteRtMaxUnpooling = CatalogEntry(
    custom: "LiteRtMaxUnpooling2D", formula: "y[position[i…]] = x[i…],   elsewhere 0",
    variants: "f32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in MaxUnpooling(options: try ImageWindowOptions(node)) }
}

/// `MaxUnpooling2D`: each element put where the pooling found it; zeros elsewhere.
///
/// - Input 0: maxima, `[batch, height, width, depth]`, float32.
/// - Input 1: their positions, of the same shape.
///
/// Of several elements for one position the last stays. The fused activation is not applied. Two
/// operators have this name:
///
/// - MediaPipe's takes positions in the windows, float32, whose fractions are cut off. The output
///   is `[batch, height · filter height, width · filter width, depth]`; an element whose location
///   lies outside of it is dropped. MediaPipe: `max_unpooling.cc`.
/// - TFLite's, also called `LiteRtMaxUnpooling2D`, takes positions in an image of the output,
///   int32. The output is as high as the pooling's input: `height · stride` with SAME padding,
///   else `(height − 1) · stride + filter height`, and as wide likewise. A position beyond the
///   image is an error here, and undefined there. TFLite: `perception/max_unpooling_2d.cc`.
struct MaxUnpooling: Operator {
  let options: ImageWindowOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let shape = try node.image(0)
    guard try node.image(1) == shape else {
      throw .invalid("locations of shape \(try node.input(1).shape) for \(shape)", .input(1))
    }
    try node.input(0).expect(.float32, .input(0))
    try node.declaredOutput().expect(.float32, .output(0))
    if try node.input(1).elementType == .int32 { return try byPosition(shape) }
    try node.input(1).expect(.float32, .input(1))
    let output = try Shape.checked([
      shape[0], try shape[1].times(options.filterHeight),
      try shape[2].times(options.filterWidth), shape[3],
    ])
    let loop = UnpoolLoop(
      rows: try axis(output[1], shape[1], options.filterHeight, options.strideHeight),
      columns: try axis(output[2], shape[2], options.filterWidth, options.strideWidth),
      batchCount: shape[0], depth: shape[3])
    return Prepared(TensorType(.float32, output), LoopKernel(loop))
  }

  /// TFLite's operator.
  private func byPosition(_ shape: Shape) throws(KernelError) -> Prepared {
    let output = try Shape.checked([
      shape[0], try length(shape[1], options.strideHeight, options.filterHeight),
      try length(shape[2], options.strideWidth, options.filterWidth), shape[3],
    ])
    let loop = PositionUnpoolLoop(
      elementCount: shape.dimensions[1...].reduce(1, *),
      imageCount: output.dimensions[1...].reduce(1, *))
    return Prepared(TensorType(.float32, output), LoopKernel(loop))
  }

  private func length(
    _ input: Int, _ stride: Int, _ window: Int
  ) throws(KernelError) -> Int {
    switch options.padding {
    case .same: try input.times(stride)
    case .valid: try (input - 1).times(stride).plus(window)
    }
  }

  private func axis(
    _ output: Int, _ input: Int, _ window: Int, _ stride: Int
  ) throws(KernelError) -> UnpoolLoop.Axis {
    // What the windows reach beyond the output lies before and after it in equal parts.
    let reach = try max(input - 1, 0).times(stride).plus(window)
    return UnpoolLoop.Axis(
      input: input, output: output, window: window, stride: stride,
      padding: max(0, reach - output) / 2)
  }
}

/// The loop of MediaPipe's `MaxUnpooling2D`.
package struct UnpoolLoop: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.pool, .float32) }

  /// Windows along an axis of the output, one for each element of the input.
  package struct Axis: Sendable, Hashable {
    /// Elements of the input.
    package let input: Int
    /// Elements of the output.
    package let output: Int
    /// Taps of a window.
    package let window: Int
    /// From one window to the next.
    package let stride: Int
    /// How far the first window begins before the output.
    package let padding: Int

    /// Where in the output the window of an element starts, perhaps before it.
    package func start(_ element: Int) -> Int { element * stride - padding }
  }

  /// Along the height.
  package let rows: Axis
  /// Along the width.
  package let columns: Axis
  /// Images in the batch.
  package let batchCount: Int
  /// Channels.
  package let depth: Int

  /// The pixel of an output image that `location` means in the window that starts in row `top` and
  /// column `left`; nil where that lies outside of the image.
  package func pixel(of location: Float, top: Int, left: Int) -> Int? {
    // A position that no integer of 32 bits holds lies outside of any window.
    guard let location = Int32(exactly: location.rounded(.towardZero)) else { return nil }
    let (down, right) = Int(location).quotientAndRemainder(dividingBy: columns.window)
    let (y, x) = (top + down, left + right)
    guard 0..<rows.output ~= y, 0..<columns.output ~= x else { return nil }
    return y * columns.output + x
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let maxima = frame.input(0, as: Float.self)
    let locations = frame.input(1, as: Float.self)
    var output = frame.output(0, as: Float.self)
    for index in output.indices {
      steps.about(index)
      steps.filled("zero, unless an element comes to it")
      output[index] = 0
    }
    var position = 0
    for batch in 0..<batchCount {
      for row in 0..<rows.input {
        for column in 0..<columns.input {
          for channel in 0..<depth {
            defer { position += 1 }
            guard
              let pixel = pixel(
                of: locations[position], top: rows.start(row), left: columns.start(column))
            else { continue }
            let target = batch * rows.output * columns.output + pixel
            steps.about(target * depth + channel)
            steps.read(locations, position)
            output[target * depth + channel] = steps.moved(maxima, position)
          }
        }
      }
    }
  }
}

/// The loop of TFLite's `MaxUnpooling2D`.
package struct PositionUnpoolLoop: SteppedLoop {
  /// Elements of an image of the input.
  package let elementCount: Int
  /// Elements of an image of the output.
  package let imageCount: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let maxima = frame.input(0, as: Float.self)
    let locations = frame.input(1, as: Int32.self)
    var output = frame.output(0, as: Float.self)
    for index in output.indices {
      steps.about(index)
      steps.filled("zero, unless an element comes to it")
      output[index] = 0
    }
    for index in maxima.indices {
      guard 0..<imageCount ~= Int(locations[index]) else {
        throw .invalid("position \(locations[index]) of \(imageCount)", .input(1))
      }
      let target = index / elementCount * imageCount + Int(locations[index])
      steps.about(target)
      steps.read(locations, index)
      output[target] = steps.moved(maxima, index)
    }
  }
}
