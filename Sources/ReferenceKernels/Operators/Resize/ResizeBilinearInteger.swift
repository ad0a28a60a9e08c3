// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
package import Tensors

/// Where a row or column of the result lies between those of the image, with 10 fraction bits.
package struct FixedPointLocation: Sendable {
  /// The row or column before the position.
  package let first: Int
  /// The row or column behind it.
  package let second: Int
  /// How far the position is from the first one, in units of 2⁻¹⁰.
  package let fraction: Int64
}

/// How the rows or columns of the result are spread over those of the image, with 10 fraction
/// bits.
///
///     position = i · s,  or i · s + s/2 − 2⁹ with half pixel centers
///
/// `s` is `2¹⁰ · input / output`, rounded to the nearest integer; with aligned corners both are
/// one less. Divisions truncate towards zero.
package struct FixedPointAxis: Sendable {
  private let input: Int
  private let scale: Int
  private let offset: Int

  /// An axis of `input` rows or columns resized to `output`.
  package init(input: Int, output: Int, _ options: ResizeBilinearOptions) {
    self.input = input
    let isAligned = options.alignsCorners && output > 1
    let (length, steps) = isAligned ? (input - 1, output - 1) : (input, output)
    // Lengths are at most 2^40: no overflow in 64 bits.
    scale = ((1 << 10) * length + steps / 2) / steps
    offset = options.halfPixelCenters ? scale / 2 - (1 << 9) : 0
  }

  /// The location of row or column `index` of the result.
  package func location(_ index: Int) -> FixedPointLocation {
    // The index is below `steps`, so the product is about 2^10 times the input's length.
    let location = index * scale + offset
    let first = min(max(location / (1 << 10), 0), input - 1)
    let second = min(max((location + (1 << 10) - 1) / (1 << 10), 0), input - 1)
    return FixedPointLocation(
      first: first, second: second, fraction: Int64(location - (1 << 10) * first))
  }
}

/// The loop of `RESIZE_BILINEAR` for int8 and int16: sums with 20 fraction bits, rounded half away
/// from zero (half up in the single-rounding profile).
package struct ResizeBilinearIntegerLoop<Element>: SteppedLoop
where Element: TensorElement & FixedWidthInteger {
  package static var family: LoopFamily? { LoopFamily(.interpolation, Element.elementType) }

  /// The sizes.
  package let images: ResizedImages
  /// How rows are spread.
  package let rows: FixedPointAxis
  /// How columns are spread.
  package let columns: FixedPointAxis
  /// How sums are rounded.
  package let rounding: Rounding

  init(_ images: ResizedImages, _ options: ResizeBilinearOptions, _ rounding: Rounding) {
    self.images = images
    self.rounding = rounding
    rows = FixedPointAxis(input: images.height, output: images.outputHeight, options)
    columns = FixedPointAxis(input: images.width, output: images.outputWidth, options)
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Element.self)
    var output = frame.output(0, as: Element.self)
    let depth = images.depth
    let one: Int64 = 1 << 10
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
          let (u, v) = (row.fraction, column.fraction)
          for channel in 0..<depth {
            steps.about(target + channel)
            steps.note(
              "row fraction", "row \(outputRow) is that many 1/1024 below row \(row.first)", u)
            steps.note(
              "column fraction",
              "column \(outputColumn) is that many 1/1024 right of column \(column.first)", v)
            let a = steps.term(
              Int64(input[topLeft + channel]) * (one - u) * (one - v), of: input,
              topLeft + channel)
            let b = steps.term(
              Int64(input[bottomLeft + channel]) * u * (one - v), of: input, bottomLeft + channel)
            let c = steps.term(
              Int64(input[topRight + channel]) * (one - u) * v, of: input, topRight + channel)
            let d = steps.term(
              Int64(input[bottomRight + channel]) * u * v, of: input, bottomRight + channel)
            let sum = steps.note(
              "sum", "of the four neighbors, each with its share of 2^20", a + b + c + d)
            output[target + channel] = rounded(sum, &steps)
          }
          target += depth
        }
      }
    }
  }

  @inline(__always)
  private func rounded(_ sum: Int64, _ steps: inout some Steps) -> Element {
    switch rounding {
    case .double:
      steps.note(
        "rounding", "round(\(sum) / 2^20), halves away from zero",
        Element(truncatingIfNeeded: (sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20)))
    case .single:
      steps.note(
        "rounding", "round(\(sum) / 2^20), halves up",
        Element(truncatingIfNeeded: (sum + 1 << 19) >> 20))
    }
  }
}

/// The kernel of `ResizeBilinearIntegerLoop`.
package typealias ResizeBilinearIntegerKernel<Element> = LoopKernel<
  ResizeBilinearIntegerLoop<Element>
>
where Element: TensorElement & FixedWidthInteger

extension LoopKernel {
  /// The loop over `images`.
  convenience init<Element: TensorElement & FixedWidthInteger>(
    _ images: ResizedImages, _ options: ResizeBilinearOptions, _ rounding: Rounding
  ) where Loop == ResizeBilinearIntegerLoop<Element> {
    self.init(ResizeBilinearIntegerLoop(images, options, rounding))
  }
}
