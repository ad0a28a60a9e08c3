// SPDX-License-Identifier: Apache-2.0

/// A product whose rows may be the pixels of images.
protocol PixelProduct: RegionKernel {
  /// The rows.
  var rows: ProductRows { get }
  /// How they are cut into blocks.
  var cuts: ProductCuts { get }
  /// Matrices that rows are multiplied with, each a part of its own.
  var groupCount: Int { get }
  /// Bytes of an element of the input and of the output.
  var elementByteCount: Int { get }

  /// The memory for up to `rowStep` rows and all columns at once.
  func memory(rowStep: Int) -> WorkerMemory

  /// Makes what `multiply` finds in the memory.
  func begin(_ parts: WorkerMemory.Parts)

  /// Multiplies rows with all columns of the only group.
  func multiply(
    _ rows: Range<Int>, input: UnsafeRawPointer, output: UnsafeMutableRawPointer,
    _ parts: WorkerMemory.Parts)
}

/// What decides whether blocks of groups are worth another kernel's call for each row.
private enum PixelRuns {
  /// Bytes of a row of a group's columns that take longer than a call.
  static let leastByteCount = 256
}

extension PixelProduct {
  /// The kernel, unless a block's outputs are scattered: a group's few columns of each row.
  package var region: (any RegionKernel)? {
    groupCount == 1 || cuts.size.columnCount * elementByteCount >= PixelRuns.leastByteCount
      ? self : nil
  }

  package var stages: [any LineStage] {
    guard groupCount == 1, let pixels = rows.pixels,
      cuts.size.weightByteCount <= ProductBlocks.weightsLimit
    else { return [] }
    return [PixelStage(product: self, pixels: pixels)]
  }
}

/// Output pixels as the rows of a product: of a convolution with windows of one pixel.
struct RowPixels: Sendable {
  /// Images.
  let imageCount: Int
  /// Lines of an image.
  let lineCount: Int
  /// Pixels of a line.
  let width: Int

  /// The images, if a pixel has `depth` elements of so many bytes.
  func shape(_ depth: Int, _ elementByteCount: Int) -> LineShape {
    LineShape(
      imageCount: imageCount, lineCount: lineCount, lineElementCount: width * depth,
      elementByteCount: elementByteCount)
  }
}

/// The lines of a product whose rows are pixels.
private struct PixelStage<Product: PixelProduct>: LineStage {
  let product: Product
  let pixels: RowPixels

  var input: LineShape {
    pixels.shape(
      product.rows.tapByteCount / product.elementByteCount, product.elementByteCount)
  }
  var output: LineShape {
    pixels.shape(product.cuts.size.columnCount, product.elementByteCount)
  }
  var readsOneLine: Bool { true }
  var nanoseconds: Double { product.cuts.size.nanoseconds }

  /// The most rows that are multiplied at once.
  private func rowStep(_ lineCount: Int) -> Int {
    let tileRows = product.cuts.size.tileRows
    let most = max(ProductBlocks.pointerLimit / tileRows, 1) * tileRows
    return max(min(lineCount * pixels.width, most), 1)
  }

  func inputLines(for lines: Range<Int>) -> Range<Int> { lines }

  func inputLineCount(for count: Int) -> Int { count }

  func scratchByteCount(lineCount: Int) -> Int {
    product.memory(rowStep: rowStep(lineCount)).byteCount
  }

  func begin(_ scratch: UnsafeMutableRawPointer, lineCount: Int) {
    unsafe product.begin(product.memory(rowStep: rowStep(lineCount)).parts(at: scratch))
  }

  func compute(
    _ lines: Range<Int>, input: LineSource, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer, lineCount: Int
  ) {
    let step = rowStep(lineCount)
    let parts = unsafe product.memory(rowStep: step).parts(at: scratch)
    let end = lines.upperBound * pixels.width
    for first in stride(from: lines.lowerBound * pixels.width, to: end, by: step) {
      unsafe product.multiply(
        first..<min(first + step, end), input: input.base, output: output, parts)
    }
  }
}
