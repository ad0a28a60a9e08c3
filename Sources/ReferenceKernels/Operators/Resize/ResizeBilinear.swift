// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

extension CatalogEntry {
  static let resizeBilinear = CatalogEntry(
    .resizeBilinear, chapter: .resize,
    formula: "y[r, c] = (1−u)(1−v) x[r₀, c₀] + u(1−v) x[r₁, c₀] + (1−u)v x[r₀, c₁] + uv x[r₁, c₁]",
    versions: .upTo(4),
    variants: "f32 u8_q i8_q i16_q", optimized: "f32 i8_q u8_q",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in ResizeBilinear(options: try node.options()) }
}

/// `RESIZE_BILINEAR`: an image at another size, each pixel a mean of the four around its location.
///
/// - Input 0: images, `[batch, height, width, depth]`.
/// - Input 1: the new height and width, an int32 vector.
///
/// Where a location falls between pixels is the business of `BilinearAxis` (float32 and uint8) and
/// `FixedPointAxis` (int8 and int16). uint8 results are computed in float32, plus one half,
/// truncated. TFLite: `resize_bilinear.cc`, `reference/resize_bilinear.h`.
struct ResizeBilinear: Operator {
  let options: ResizeBilinearOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let images = try ResizedImages(node)
    // TFLite does not check this where the size is computed at run time.
    if options.alignsCorners, options.halfPixelCenters, node.inputs[1]?.isConstant == true {
      throw .invalid("align_corners and half_pixel_centers exclude each other")
    }
    guard images.outputHeight > 0, images.outputWidth > 0 else {
      throw .invalid("size \(images.outputHeight) by \(images.outputWidth)", .input(1))
    }
    let (input, output) = (try node.input(0), try node.declaredOutput())
    return Prepared(
      TensorType(input.elementType, images.shape, quantization: output.quantization),
      try kernel(input.elementType, images, node.rounding))
  }

  private func kernel(
    _ type: ElementType, _ images: ResizedImages, _ rounding: Rounding
  ) throws(KernelError) -> any Kernel {
    switch type {
    case .float32: ResizeBilinearKernel<Float>(images, options)
    case .uint8: ResizeBilinearKernel<UInt8>(images, options)
    case .int8: ResizeBilinearIntegerKernel<Int8>(images, options, rounding)
    case .int16: ResizeBilinearIntegerKernel<Int16>(images, options, rounding)
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// Where a row or column of the result lies between those of the image, in float32.
package struct BilinearLocation: Sendable {
  /// The row or column before the position.
  package let first: Int
  /// The row or column behind it.
  package let second: Int
  /// How far the position is from the first one; below 0 at the edge, where both are the same.
  package let fraction: Float
}

/// How the rows or columns of the result are spread over those of the image, in float32.
///
///     position = i · s,  or (i + ½) · s − ½ with half pixel centers,   s = input / output
///
/// With aligned corners, `s = (input − 1) / (output − 1)`.
package struct BilinearAxis: Sendable {
  private let input: Int
  private let scale: Float
  private let hasHalfPixelCenters: Bool

  /// An axis of `input` rows or columns resized to `output`.
  package init(input: Int, output: Int, _ options: ResizeBilinearOptions) {
    self.input = input
    let isAligned = options.alignsCorners && output > 1
    scale = isAligned ? Float(input - 1) / Float(output - 1) : Float(input) / Float(output)
    hasHalfPixelCenters = options.halfPixelCenters
  }

  /// The location of row or column `index` of the result.
  package func location(_ index: Int) -> BilinearLocation {
    let location = hasHalfPixelCenters ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
    let first = min(max(Int(location.rounded(.down)), 0), input - 1)
    let second = min(max(Int(location.rounded(.up)), 0), input - 1)
    return BilinearLocation(first: first, second: second, fraction: location - Float(first))
  }
}

/// The loop of `RESIZE_BILINEAR` in float32.
package struct ResizeBilinearLoop<Element: InterpolatedElement>: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.interpolation, Element.elementType) }

  /// The sizes.
  package let images: ResizedImages
  /// How rows are spread.
  package let rows: BilinearAxis
  /// How columns are spread.
  package let columns: BilinearAxis

  init(_ images: ResizedImages, _ options: ResizeBilinearOptions) {
    self.images = images
    rows = BilinearAxis(input: images.height, output: images.outputHeight, options)
    columns = BilinearAxis(input: images.width, output: images.outputWidth, options)
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Element.self)
    var output = frame.output(0, as: Element.self)
    let depth = images.depth
    guard !output.isEmpty else { return }
    var target = 0
    for batch in 0..<images.batchCount {
      for outputRow in 0..<images.outputHeight {
        let row = rows.location(outputRow)
        let top = (batch * images.height + row.first) * images.width
        let bottom = (batch * images.height + row.second) * images.width
        for outputColumn in 0..<images.outputWidth {
          let column = columns.location(outputColumn)
          let topLeft = (top + column.first) * depth
          let bottomLeft = (bottom + column.first) * depth
          let topRight = (top + column.second) * depth
          let bottomRight = (bottom + column.second) * depth
          // The order of operations is TFLite's: float32 rounds each.
          let (u, v) = (row.fraction, column.fraction)
          for channel in 0..<depth {
            steps.about(target + channel)
            steps.note("row fraction", "row \(outputRow) is that far below row \(row.first)", u)
            steps.note(
              "column fraction",
              "column \(outputColumn) is that far right of column \(column.first)", v)
            let a = steps.term(
              input[topLeft + channel].float * (1 - u) * (1 - v), of: input, topLeft + channel)
            let b = steps.term(
              input[bottomLeft + channel].float * u * (1 - v), of: input, bottomLeft + channel)
            let c = steps.term(
              input[topRight + channel].float * (1 - u) * v, of: input, topRight + channel)
            let d = steps.term(
              input[bottomRight + channel].float * u * v, of: input, bottomRight + channel)
            let sum = steps.note("sum", "of the four neighbors, each with its share", a + b + c + d)
            output[target + channel] = steps.note(
              "stored", "\(sum) as \(Element.elementType.schemaName)",
              element: Element(interpolated: sum))
          }
          target += depth
        }
      }
    }
  }
}

/// The kernel of `ResizeBilinearLoop`.
package typealias ResizeBilinearKernel<Element: InterpolatedElement> = LoopKernel<
  ResizeBilinearLoop<Element>
>

extension LoopKernel {
  /// The loop over `images`.
  convenience init<Element: InterpolatedElement>(
    _ images: ResizedImages, _ options: ResizeBilinearOptions
  ) where Loop == ResizeBilinearLoop<Element> {
    self.init(ResizeBilinearLoop(images, options))
  }
}

/// An element that is interpolated in float32.
package protocol InterpolatedElement: TensorElement {
  /// The element as a float.
  var float: Float { get }
  /// The element closest to an interpolated value.
  init(interpolated value: Float)
}

extension Float: InterpolatedElement {
  package var float: Float { self }
  package init(interpolated value: Float) { self = value }
}

extension UInt8: InterpolatedElement {
  package var float: Float { Float(self) }

  /// Means of quantized values lie within their range.
  package init(interpolated value: Float) {
    self = UInt8(truncatingIfNeeded: Int32(truncatingOrLeast: value + 0.5))
  }
}
