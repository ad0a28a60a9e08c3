// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let maxPoolingWithArgmax = CatalogEntry(
    custom: "MaxPoolingWithArgmax2D",
    formula: "y = max x over the elements of a window that lie in the image,   and where it is",
    variants: "f32", optimized: "f32",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in
    MaxPoolingWithArgmax(options: try ImageWindowOptions(node))
  }
}

/// `MaxPoolingWithArgmax2D`: MediaPipe's `MAX_POOL_2D` that also says where each maximum lies.
///
/// - Input 0: `[batch, height, width, depth]`, float32.
/// - Output 0: the maximum of each window, clamped by the fused activation.
/// - Output 1: the maximum's location in its window, `row · filter width + column`, as float32,
///   plus 0.1 so that cutting off the fraction gives it back. Of equal elements the first counts.
///
/// MediaPipe: `max_pool_argmax.cc`. Its XNNPACK delegate stores the locations as integers in the
/// float tensor instead; only `MaxUnpooling2D` reads them.
struct MaxPoolingWithArgmax: Operator {
  let options: ImageWindowOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1, outputs: 2)
    let shape = try node.image(0)
    try node.input(0).expect(.float32, .input(0))
    for position in 0..<2 {
      try node.declaredOutput(position).expect(.float32, .output(position))
    }
    let geometry = try options.geometry(height: shape[1], width: shape[2])
    let output = TensorType(
      .float32,
      try Shape.checked([shape[0], geometry.rows.output, geometry.columns.output, shape[3]]))
    let loop = ArgmaxPoolLoop(
      nest: Pool2DNest(geometry: geometry, batchCount: shape[0], depth: shape[3]),
      range: ActivationRange(options.activation))
    var prepared = Prepared(outputs: [output, output], kernel: LoopKernel(loop))
    prepared.operationCount =
      Checked.product([
        output.shape.elementCount, geometry.rows.window, geometry.columns.window,
      ]) ?? .max
    return prepared
  }
}

/// The options of MediaPipe's pooling operators.
struct ImageWindowOptions {
  let padding: Padding
  let strideWidth: Int
  let strideHeight: Int
  let filterWidth: Int
  let filterHeight: Int
  let activation: FusedActivation

  /// The options of `node`.
  ///
  /// - Throws: `KernelError` where they are too short or out of range.
  init(_ node: NodeDescription) throws(KernelError) {
    let fields = try StructureOptions(node, count: 6)
    padding = try fields.padding()
    strideWidth = fields[1]
    strideHeight = fields[2]
    filterWidth = fields[3]
    filterHeight = fields[4]
    activation = try fields.activation(5)
    guard strideWidth > 0, strideHeight > 0, filterWidth > 0, filterHeight > 0 else {
      throw .invalid(
        "strides \(strideHeight)x\(strideWidth), filter \(filterHeight)x\(filterWidth)")
    }
  }

  /// How the window slides over an image.
  func geometry(height: Int, width: Int) throws(KernelError) -> WindowGeometry {
    WindowGeometry(
      rows: try WindowAxis(
        input: height, window: filterHeight, stride: strideHeight, dilation: 1, padding: padding),
      columns: try WindowAxis(
        input: width, window: filterWidth, stride: strideWidth, dilation: 1, padding: padding))
  }
}

/// The loop of `MaxPoolingWithArgmax2D`.
package struct ArgmaxPoolLoop: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.pool, .float32) }

  /// The bounds of the loops.
  package let nest: Pool2DNest
  /// The fused activation.
  package let range: ActivationRange<Float>

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var maxima = frame.output(0, as: Float.self)
    var locations = frame.output(1, as: Float.self)
    let (rows, columns, depth) = (nest.geometry.rows, nest.geometry.columns, nest.depth)
    var (position, meter) = (0, frame.workMeter)
    for batch in 0..<nest.batchCount {
      for row in 0..<rows.output {
        let top = rows.origin(row)
        for column in 0..<columns.output {
          let left = columns.origin(column)
          for channel in 0..<depth {
            steps.about(position, ofOutputs: 0...1)
            var (maximum, location) = (-Float.greatestFiniteMagnitude, 0)
            for rowTap in rows.taps(from: top) {
              let start = (batch * rows.input + top + rowTap) * columns.input + left
              for columnTap in columns.taps(from: left) {
                let value = steps.read(input, (start + columnTap) * depth + channel)
                if value > maximum {
                  (maximum, location) = (value, rowTap * columns.window + columnTap)
                }
              }
            }
            steps.note("maximum", "of the window; the first of equal ones counts", maximum)
            steps.about(position)
            maxima[position] = steps.activate(maximum, range)
            steps.about(position, ofOutput: 1)
            steps.note("index", "row × \(columns.window) + column in the window", location)
            locations[position] = steps.sum(Float(location), 0.1, "mark")
            position += 1
          }
          try meter.add(columns.taps(from: left).count * rows.taps(from: top).count * depth)
        }
      }
    }
  }
}
