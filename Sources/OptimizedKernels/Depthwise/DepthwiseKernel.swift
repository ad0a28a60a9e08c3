// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A depthwise convolution of which threads compute blocks of rows.
protocol DepthwiseKernel: RegionKernel {
  var windows: DepthwiseWindows { get }
  /// The input, with channels repeated where there are several outputs of each.
  var channels: RepeatedChannels { get }
  /// Channels of the output.
  var channelCount: Int { get }
  /// Bytes of an element.
  var elementByteCount: Int { get }
  /// A pixel of zeros.
  var padding: AlignedMemory { get }
  /// Bytes of memory that a block takes besides its table, a multiple of a cache line.
  var scratchByteCount: Int { get }

  /// Computes the output rows `lines`, whose table of pixels is given.
  func run(
    _ lines: Range<Int>, table: UnsafeMutableRawPointer, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer)
}

extension DepthwiseKernel {
  /// Bytes of the scratch tensors.
  var scratch: [Int] { channels.scratch }

  package func begin(_ frame: borrowing TensorFrame) { channels.write(frame) }

  package func blockCount(workerCount: Int) -> Int {
    windows.blocks(workerCount: workerCount).count
  }

  package func forEachRun(of block: Int, workerCount: Int, _ body: (Range<Int>) -> Void) {
    let lines = windows.blocks(workerCount: workerCount).lines(block)
    let length = windows.columnCount * channelCount
    body(lines.lowerBound * length..<lines.upperBound * length)
  }

  package func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    computeBlocks(frame, workerCount: workerCount, next: next)
  }

  /// Computes blocks of rows.
  func computeBlocks(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe channels.address(frame) else { return }
    let output = unsafe frame.outputAddress(0)
    let blocks = windows.blocks(workerCount: workerCount)
    let lines = unsafe windows.lines(of: input)
    unsafe ScratchMemory.use(memoryByteCount(lineCount: blocks.lineStep)) { base in
      while let block = next() {
        unsafe compute(blocks.lines(block), input: lines, output: output, scratch: base)
      }
    }
  }

  package var stages: [any LineStage] {
    channels.multiplier == 1 ? [DepthwiseStage(kernel: self)] : []
  }

  /// Bytes of memory for up to `lineCount` rows at once.
  fileprivate func memoryByteCount(lineCount: Int) -> Int {
    scratchByteCount + windows.tableByteCount(lineCount: lineCount)
  }

  /// Computes the output rows `lines`, which are of one image.
  fileprivate func compute(
    _ lines: Range<Int>, input: LineSource, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer
  ) {
    let table = unsafe scratch + scratchByteCount
    unsafe windows.locate(
      lines, input: input, padding: UnsafeRawPointer(padding.address), table: table)
    unsafe run(lines, table: table, output: output, scratch: scratch)
  }
}

/// The lines of a depthwise convolution.
private struct DepthwiseStage<Kernel: DepthwiseKernel>: LineStage {
  let kernel: Kernel

  var input: LineShape { kernel.windows.input(elementByteCount: kernel.elementByteCount) }
  var output: LineShape { kernel.windows.output(elementByteCount: kernel.elementByteCount) }
  var readsOneLine: Bool { false }
  var nanoseconds: Double { kernel.windows.nanoseconds }

  func inputLines(for lines: Range<Int>) -> Range<Int> { kernel.windows.inputLines(for: lines) }

  func inputLineCount(for count: Int) -> Int { kernel.windows.inputLineCount(for: count) }

  func scratchByteCount(lineCount: Int) -> Int {
    kernel.memoryByteCount(lineCount: min(lineCount, kernel.windows.mostLines))
  }

  func compute(
    _ lines: Range<Int>, input: LineSource, output: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer, lineCount: Int
  ) {
    let step = kernel.windows.mostLines
    for first in stride(from: lines.lowerBound, to: lines.upperBound, by: step) {
      unsafe kernel.compute(
        first..<min(first + step, lines.upperBound), input: input, output: output,
        scratch: scratch)
    }
  }
}
