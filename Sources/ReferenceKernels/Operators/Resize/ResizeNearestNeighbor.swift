// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

extension CatalogEntry {
  static let resizeNearestNeighbor = CatalogEntry(
    .resizeNearestNeighbor, chapter: .resize,
    formula: "source = ⌊i · s⌋,  or ⌊(i + ½) · s⌋ with half pixel centers,   s = input / output",
    versions: .upTo(4),
    variants: "f32 u8_q i8_q i16_q i32", optimized: "f32 i32 i8_q u8_q i16_q",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in ResizeNearestNeighbor(options: try node.options()) }
}

/// `RESIZE_NEAREST_NEIGHBOR`: an image at another size, each pixel copied from the closest one.
///
/// With aligned corners, `s = (input − 1) / (output − 1)`, and the location is rounded half away
/// from zero instead. All in float32; sources beyond the image become its last row or column.
///
/// - Input 0: images, `[batch, height, width, depth]`.
/// - Input 1: the new height and width, an int32 vector.
///
/// TFLite: `resize_nearest_neighbor.cc`, `reference/resize_nearest_neighbor.h`.
struct ResizeNearestNeighbor: Operator {
  let options: ResizeNearestNeighborOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let images = try ResizedImages(node)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    return try NearestNeighbors(images: images, options: options).prepared(
      node, outputs: [input.moved(to: images.shape, declared: output)])
  }
}

/// Which pixel of an image each pixel of the result is copied from.
package struct NearestNeighbors: Movement {
  /// The sizes.
  package let images: ResizedImages
  /// How positions are computed.
  package let options: ResizeNearestNeighborOptions

  package func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    ResizeNearestNeighborKernel<Unit>(self)
  }

  /// The row of the image that row `row` of the result is copied from.
  package func source(row: Int) -> Int {
    source(row, input: images.height, output: images.outputHeight)
  }

  /// The column of the image that column `column` of the result is copied from.
  package func source(column: Int) -> Int {
    source(column, input: images.width, output: images.outputWidth)
  }

  private func source(_ index: Int, input: Int, output: Int) -> Int {
    let scale =
      options.alignsCorners && output > 1
      ? Float(input - 1) / Float(output - 1) : Float(input) / Float(output)
    let location = (Float(index) + (options.halfPixelCenters ? 0.5 : 0)) * scale
    let source = location.rounded(options.alignsCorners ? .toNearestOrAwayFromZero : .down)
    return max(0, min(Int(source), input - 1))
  }
}

/// The loop of `RESIZE_NEAREST_NEIGHBOR` for elements as wide as `Unit`.
package struct ResizeNearestNeighborLoop<Unit: TensorElement>: KernelLoop {
  package static var family: LoopFamily? { LoopFamily(.movement, Unit.elementType) }

  /// The sources of pixels.
  package let neighbors: NearestNeighbors

  /// The loop over `neighbors`.
  package init(_ neighbors: NearestNeighbors) { self.neighbors = neighbors }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    var output = frame.output(0, as: Unit.self)
    guard !output.isEmpty else { return }
    let images = neighbors.images
    let depth = images.depth
    var target = 0
    for batch in 0..<images.batchCount {
      for row in 0..<images.outputHeight {
        let start = (batch * images.height + neighbors.source(row: row)) * images.width
        for column in 0..<images.outputWidth {
          let source = (start + neighbors.source(column: column)) * depth
          for channel in 0..<depth { output[target + channel] = input[source + channel] }
          target += depth
        }
      }
    }
  }
}

/// The kernel of `ResizeNearestNeighborLoop`.
package typealias ResizeNearestNeighborKernel<Unit: TensorElement> = LoopKernel<
  ResizeNearestNeighborLoop<Unit>
>

extension LoopKernel {
  /// The loop over `neighbors`.
  package convenience init<Unit: TensorElement>(_ neighbors: NearestNeighbors)
  where Loop == ResizeNearestNeighborLoop<Unit> {
    self.init(ResizeNearestNeighborLoop(neighbors))
  }
}
