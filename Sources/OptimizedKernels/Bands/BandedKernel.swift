// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels
package import Tensors

/// Convolutions one after the other, computed in bands of lines that stay in the second-level cache:
/// the images between them are never whole.
///
/// Such are the parts of an inverted residual: pixels of a few channels get many, by which a window
/// of each channel goes, and become few again. A worker that goes on with the next band keeps the
/// lines that windows of both bands read.
package final class BandedKernel: RegionKernel, CompositeKernel {
  package let stages: [any LineStage]
  package let parts: [any Kernel]
  /// The most lines of a band.
  private let mostLines: Int
  private let output: LineShape
  private let nanoseconds: Double

  /// The stages of both kernels, one after the other; nil where bands are not faster for so many
  /// workers.
  package init?(
    _ first: any BlockKernel, _ second: any BlockKernel, workerCount: Int = 1,
    limits: BandLimits = BandLimits()
  ) {
    let (before, after) = (first.stages, second.stages)
    guard let last = before.last, let next = after.first, after.count == 1,
      next.readsOneLine ? !last.readsOneLine : before.count == 1,
      last.output == next.input, limits.pay(last.output.byteCount, workerCount: workerCount)
    else { return nil }
    stages = before + after
    guard let mostLines = limits.mostLines(of: stages) else { return nil }
    self.mostLines = mostLines
    parts = [first, second]
    output = next.output
    nanoseconds = stages.reduce(0) { $0 + $1.nanoseconds }
  }

  private func bands(workerCount: Int) -> ImageLines {
    ImageLines(
      imageCount: output.imageCount, lineCount: output.lineCount, mostLines: mostLines,
      nanoseconds: nanoseconds, workerCount: workerCount)
  }

  package func blockCount(workerCount: Int) -> Int { bands(workerCount: workerCount).count }

  package func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    let lines = bands(workerCount: workerCount).lines(block)
    let length = output.lineElementCount
    body(lines.lowerBound * length..<lines.upperBound * length)
  }

  package func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let target = unsafe frame.outputAddress(0)
    let bands = bands(workerCount: workerCount)
    let memory = BandMemory(stages, lineCount: bands.lineStep)
    unsafe ScratchMemory.use(memory.byteCount) { base in
      var worker = unsafe BandWorker(stages, memory, at: base)
      while let block = next() {
        let lines = bands.lines(block)
        let image = lines.lowerBound / output.lineCount
        let first = image * output.lineCount
        unsafe worker.compute(
          lines.lowerBound - first..<lines.upperBound - first, image: image, input: input,
          output: target)
      }
    }
  }
}
