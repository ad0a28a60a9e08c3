// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let rfft2D = CatalogEntry(
    .rfft2D, chapter: .signal,
    formula: "Y[f, g] = Σₜ Σᵤ x[t, u] · exp(−2πi (f t / h + g u / w)),   0 ≤ f < h, 0 ≤ g ≤ w / 2",
    versions: .upTo(1),
    variants: "f32", optimized: "f32",
    work: .elements { types in
      // Each element of the result goes through a step for each power of two in its row and column.
      let steps = types.output(0)?.shape.dimensions.suffix(2).reduce(1) { sum, length in
        sum + Int.bitWidth - length.leadingZeroBitCount
      }
      return Checked.product(types.outputElementCount, steps)
    }, reads: .everything
  ) { _ in Rfft2D() }
}

/// `RFFT2D`: the two-dimensional Fourier transform of real images.
///
/// - Input 0: the images, float32, of rank 2 at least.
/// - Input 1: h and w, int32, powers of two; images are cropped or filled up with zeros to
///   that size. A width of 1, for which fft2d has no result, is refused.
/// - Output: complex64; columns beyond w / 2 are left out, being the conjugates of others.
///
/// Everything is computed in double precision. TFLite: `rfft2d.cc`.
struct Rfft2D: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, lengths) = (try node.input(0), try node.input(1))
    try input.expect(.float32, .input(0))
    try lengths.expect(.int32, .input(1))
    guard input.shape.rank >= 2 else {
      throw .rank(input.shape.rank, wanted: "at least 2", .input(0))
    }
    guard lengths.shape == [2] else {
      throw .invalid("lengths of shape \(lengths.shape), wanted 2", .input(1))
    }
    let wanted = try node.integers(1)
    guard wanted.allSatisfy({ $0 > 0 && $0 & ($0 - 1) == 0 }), wanted[1] > 1 else {
      throw .invalid("lengths \(wanted[0]) and \(wanted[1]), wanted powers of two", .input(1))
    }
    let declared = try node.declaredOutput()
    try declared.expect(.complex64, .output(0))
    let outer = Array(input.shape.dimensions.dropLast(2))
    let shape = try Shape.checked(outer + [wanted[0], wanted[1] / 2 + 1])
    let loop = Rfft2DLoop(
      count: outer.reduce(1, *), inputHeight: input.shape[outer.count],
      inputWidth: input.shape[outer.count + 1], height: wanted[0], width: wanted[1])
    return Prepared(TensorType(.complex64, shape), LoopKernel(loop))
  }
}

/// The loop of `RFFT2D`.
package struct Rfft2DLoop: SteppedLoop {
  package static var family: LoopFamily? { LoopFamily(.spectrum, .float32) }

  /// Images.
  package let count: Int
  /// Rows of an input image.
  package let inputHeight: Int
  /// Columns of an input image.
  package let inputWidth: Int
  /// Rows that are transformed.
  package let height: Int
  /// Columns that are transformed.
  package let width: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Complex<Float>.self)
    guard !output.isEmpty else { return }
    let columns = width / 2 + 1
    // Of the transforms of rows, every column's takes part in every element.
    var silent = NoSteps()
    let alongRows = FourierTransform(count: width)
    let alongColumns = FourierTransform(count: height)
    var (real, imaginary) = (zeros(height * columns), zeros(height * columns))
    var (rowRe, rowIm, re, im) = (zeros(width), zeros(width), zeros(height), zeros(height))
    for image in 0..<count {
      let elements = image * height * columns..<(image + 1) * height * columns
      for row in 0..<min(height, inputHeight) {
        let start = (image * inputHeight + row) * inputWidth
        steps.about(elements)
        for column in 0..<width {
          rowRe[column] = column < inputWidth ? Double(steps.read(input, start + column)) : 0
          rowIm[column] = 0
        }
        alongRows.transform(
          real: &rowRe, imaginary: &rowIm, elements: elements, distance: 1, &silent)
        for column in 0..<columns {
          real[row * columns + column] = rowRe[column]
          imaginary[row * columns + column] = rowIm[column]
          guard row == 0 else { continue }
          steps.about(elements.lowerBound + column..<elements.upperBound, step: columns)
          steps.note(
            "row transforms",
            "number \(column) of the transform of each of \(height) rows; that of row 0",
            element: Complex(rowRe[column], rowIm[column]))
        }
      }
      for column in 0..<columns {
        gather(real, from: column, step: columns, into: &re)
        gather(imaginary, from: column, step: columns, into: &im)
        let first = elements.lowerBound + column
        alongColumns.transform(
          real: &re, imaginary: &im,
          elements: first..<elements.upperBound, distance: columns, &steps)
        for row in 0..<height {
          steps.about(first + row * columns)
          output[first + row * columns] = steps.note(
            "stored", "in single precision", element: Complex(Float(re[row]), Float(im[row])))
        }
      }
    }
  }

  /// Numbers of rows and columns, of which those that the input lacks stay 0.
  private func zeros(_ count: Int) -> [Double] { [Double](repeating: 0, count: count) }

  /// Every so many-th number.
  private func gather(
    _ values: [Double], from start: Int, step: Int, into line: inout [Double]
  ) {
    for index in line.indices { line[index] = values[start + index * step] }
  }
}
