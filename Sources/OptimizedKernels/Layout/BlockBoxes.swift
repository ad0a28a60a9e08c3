// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension BlockGrid {
  /// Pixels of a block for which boxes are worth their while.
  private static let mostBoxes = 64

  /// The pixels of whole images that come to the small ones, as boxes; nil where there are many.
  ///
  /// `background` is what lies around images.
  func boxesOfParts(over background: TensorBytes) -> BoxCopies? {
    boxes { whole, part in
      BoxCopy(from: whole.start, to: part.start, axes(from: whole, to: part))
    }.map { BoxCopies([$0], over: .value(background)) }
  }

  /// The pixels of small images that come to whole ones, as boxes; nil where there are many.
  func boxesOfWholes() -> BoxCopies? {
    boxes { whole, part in
      BoxCopy(from: part.start, to: whole.start, axes(from: part, to: whole))
    }.map { BoxCopies([$0]) }
  }

  /// Some pixels of images, in elements.
  private struct Pixels {
    let start: Int
    let counts: [Int]
    /// From one image, row and column of them to the next.
    let steps: [Int]
  }

  /// What `make` makes of the pixels of whole images and of small ones that belong together; nil
  /// where there are many, or none, beside which lengths are not bounded.
  private func boxes(_ make: (_ whole: Pixels, _ part: Pixels) -> BoxCopy) -> [BoxCopy]? {
    let (count, overflow) = block[0].multipliedReportingOverflow(by: block[1])
    guard !overflow, count <= Self.mostBoxes, !(whole + parts + [depth]).contains(0) else {
      return nil
    }
    return (0..<count).compactMap { shift in
      let rows = Self.run(shift / block[1], block[0], margin[0], whole[1], parts[1])
      let columns = Self.run(shift % block[1], block[1], margin[1], whole[2], parts[2])
      guard rows.count > 0, columns.count > 0 else { return nil }
      let counts = [whole[0], rows.count, columns.count]
      let large = Pixels(
        start: (rows.whole * whole[2] + columns.whole) * depth, counts: counts,
        steps: [whole[1] * whole[2], block[0] * whole[2], block[1]])
      let image = parts[1] * parts[2]
      let small = Pixels(
        start: (shift * whole[0] * image + rows.part * parts[2] + columns.part) * depth,
        counts: counts, steps: [image, parts[2], 1])
      return make(large, small)
    }
  }

  /// Positions of an axis with one place in their blocks: the first in the whole and in the part, and
  /// how many lie in both.
  private static func run(
    _ shift: Int, _ block: Int, _ margin: Int, _ whole: Int, _ parts: Int
  ) -> (whole: Int, part: Int, count: Int) {
    let first = max((margin - shift + block - 1) / block, 0)
    let end = min((whole + margin - shift + block - 1) / block, parts)
    return (first * block + shift - margin, first, max(end - first, 0))
  }

  private func axes(from input: Pixels, to output: Pixels) -> [BoxCopy.Axis] {
    input.counts.indices.map {
      BoxCopy.Axis(
        input.counts[$0], input: input.steps[$0] * depth, output: output.steps[$0] * depth)
    } + [BoxCopy.Axis(depth, input: 1, output: 1)]
  }
}
