// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Boxes of elements copied to the outputs, by whole rows where neighbors stay neighbors.
final class BoxRows: BlockKernel {
  /// The rows of a box.
  private struct Job {
    let box: BoxCopy
    let output: Int
    let rowCount: Int
    /// The loops outside of rows, the innermost last: where rows are gathered, that of neighboring
    /// input elements, else none that is short where there are longer ones.
    let outer: [BoxCopy.Axis]

    init(_ box: BoxCopy, output: Int) {
      (self.box, self.output) = (box, output)
      rowCount = box.outer.reduce(1) { $0 * $1.length }
      var outer = box.outer
      if box.row.outputStride == 1, box.row.inputStride > 1,
        let neighbors = outer.firstIndex(where: { $0.inputStride == 1 })
      {
        outer.append(outer.remove(at: neighbors))
      } else if let last = outer.last, last.length < Self.shortLoop,
        let longest = outer.indices.max(by: { outer[$0].length < outer[$1].length })
      {
        outer.append(outer.remove(at: longest))
      }
      self.outer = outer
    }

    /// Rows for which finding the first takes as long as copying them.
    private static let shortLoop = 8

    /// Bytes of all its elements, which are `unit` bytes wide.
    func byteCount(unit: Int) -> Double { Double(rowCount) * Double(box.row.length * unit) }
  }

  /// A box whose elements lie side by side in the input and in the output.
  private struct Run {
    let input: Int
    let output: Int
    let from: Int
    let to: Int
    let byteCount: Int

    /// The run that a box of elements of `unit` bytes is; nil where it is none.
    init?(_ job: Job, unit: Int) {
      guard job.box.isRun else { return nil }
      (input, output, byteCount) = (job.box.input, job.output, job.box.row.length * unit)
      (from, to) = (job.box.from * unit, job.box.to * unit)
    }
  }

  /// Bytes that are copied in a nanosecond, roughly.
  private static let bytesPerNanosecond = 8.0

  /// More boxes than these are a block each, so that nobody searches for the box of a block.
  private static let mostSearched = 64

  private let copies: BoxCopies
  private let jobs: [Job]
  /// All boxes, in order, where each is a run; else empty.
  private let runs: [Run]
  /// Bytes of an element.
  private let unit: Int
  /// Whether several workers may copy the boxes, no two of which meet, and are not as fast alone.
  private let isShared: Bool
  /// How long all copies take, roughly.
  private let nanoseconds: Double

  /// The copies of `loop`, of elements that are 1, 2, 4 or 8 bytes wide.
  init<Unit: FixedWidthInteger>(_ loop: BoxCopyLoop<Unit>) {
    copies = loop.copies
    unit = Unit.bitWidth / 8
    jobs = copies.boxes.enumerated().flatMap { output, boxes in
      boxes.filter { !$0.isEmpty }.map { Job($0, output: output) }
    }
    let runs = jobs.map { [unit] in Run($0, unit: unit) }
    self.runs = runs.contains { $0 == nil } ? [] : runs.compactMap { $0 }
    let byteCount = jobs.reduce(0.0) { [unit] sum, job in sum + job.byteCount(unit: unit) }
    nanoseconds = byteCount / Self.bytesPerNanosecond
    isShared =
      WorkShare.isShared(nanoseconds: nanoseconds)
      && copies.boxes.allSatisfy { Self.areDisjoint($0.filter { !$0.isEmpty }) }
  }

  /// Whether boxes have as many elements as there are up to the last that they reach.
  ///
  /// Several boxes leave no gap, so that then none is met twice.
  private static func areDisjoint(_ boxes: [BoxCopy]) -> Bool {
    guard boxes.count > 1 else { return true }
    var (count, end) = (0, 0)
    for box in boxes {
      let axes = box.outer + [box.row]
      count += axes.reduce(1) { $0 * $1.length }
      end = max(
        end, axes.reduce(box.to + 1) { $0 + max(0, ($1.length - 1) * $1.outputStride) })
    }
    return count == end
  }

  /// Blocks of which each has a part of every box's rows; nil where boxes have too few.
  ///
  /// Rows of neighboring boxes often share cache lines of the output, as those of two images' channels
  /// in a row do, which workers would take from each other.
  private func partCount(workerCount: Int) -> Int? {
    guard jobs.count <= Self.mostSearched else { return nil }
    let count = WorkShare.blockCount(nanoseconds: nanoseconds, workerCount: workerCount)
    return jobs.allSatisfy { $0.rowCount >= count } ? count : nil
  }

  /// Rows of a block of a job.
  private func step(_ job: Job, _ workerCount: Int) -> Int {
    guard jobs.count <= Self.mostSearched else { return job.rowCount }
    let wanted = WorkShare.blockCount(
      nanoseconds: job.byteCount(unit: unit) / Self.bytesPerNanosecond, workerCount: workerCount)
    return max((job.rowCount + wanted - 1) / wanted, 1)
  }

  func blockCount(workerCount: Int) -> Int {
    guard isShared, workerCount > 1 else { return jobs.isEmpty ? 0 : 1 }
    if let count = partCount(workerCount: workerCount) { return count }
    guard jobs.count <= Self.mostSearched else { return jobs.count }
    return jobs.reduce(0) { sum, job in
      let step = step(job, workerCount)
      return sum + (job.rowCount + step - 1) / step
    }
  }

  func begin(_ frame: borrowing TensorFrame) {
    if case .none = copies.background { return }
    for position in copies.boxes.indices {
      let count = frame.output(position, as: UInt8.self).count
      let output = unsafe frame.outputAddress(position)
      guard count > 0 else { continue }
      switch copies.background {
      case .none: break
      case .value(let bytes):
        unsafe fill(output, count / unit, with: UnsafeRawPointer(bytes.address))
      case .input(let input):
        if let value = unsafe frame.inputAddress(input) {
          unsafe fill(output, count / unit, with: value)
        }
      }
    }
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    begin(frame)
    copyAll(frame)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard isShared, workerCount > 1 else {
      while next() != nil { copyAll(frame) }
      return
    }
    if let count = partCount(workerCount: workerCount) {
      while let block = next() {
        for job in jobs { copy(job, share(block, of: count, job.rowCount), frame) }
      }
      return
    }
    while var block = next() {
      if jobs.count > Self.mostSearched {
        copy(jobs[block], 0..<jobs[block].rowCount, frame)
        continue
      }
      for job in jobs {
        let step = step(job, workerCount)
        let count = (job.rowCount + step - 1) / step
        if block >= count {
          block -= count
          continue
        }
        let first = block * step
        copy(job, first..<min(first + step, job.rowCount), frame)
        break
      }
    }
  }

  /// Copies all boxes in order.
  private func copyAll(_ frame: borrowing TensorFrame) {
    guard runs.isEmpty else {
      for run in runs {
        guard let input = unsafe frame.inputAddress(run.input) else { continue }
        unsafe (frame.outputAddress(run.output) + run.to).copyMemory(
          from: input + run.from, byteCount: run.byteCount)
      }
      return
    }
    for job in jobs { copy(job, 0..<job.rowCount, frame) }
  }

  /// Copies rows of a box.
  private func copy(_ job: Job, _ rows: Range<Int>, _ frame: borrowing TensorFrame) {
    guard let input = unsafe frame.inputAddress(job.box.input) else { return }
    let output = unsafe frame.outputAddress(job.output)
    let inner = job.outer.last ?? BoxCopy.Axis(1, input: 0, output: 0)
    var row = rows.lowerBound
    while row < rows.upperBound {
      var (rest, index) = row.quotientAndRemainder(dividingBy: inner.length)
      let count = min(inner.length - index, rows.upperBound - row)
      var source = job.box.from + index * inner.inputStride
      var target = job.box.to + index * inner.outputStride
      for axis in job.outer.dropLast().reversed() {
        (rest, index) = rest.quotientAndRemainder(dividingBy: axis.length)
        source += index * axis.inputStride
        target += index * axis.outputStride
      }
      unsafe copy(
        job.box.row, BoxCopy.Axis(count, input: inner.inputStride, output: inner.outputStride),
        input + source * unit, output + target * unit)
      row += count
    }
  }

  /// Copies neighboring rows.
  private func copy(
    _ row: BoxCopy.Axis, _ rows: BoxCopy.Axis, _ source: UnsafeRawPointer,
    _ target: UnsafeMutableRawPointer
  ) {
    if row.outputStride == 1, row.inputStride == 1 {
      return unsafe copyTile(
        source, width: rows.inputStride * unit, to: target, stride: rows.outputStride * unit,
        rows: rows.length, columns: row.length * unit)
    }
    if row.outputStride == 1, row.inputStride == 0 {
      for index in 0..<rows.length {
        unsafe fill(
          target + index * rows.outputStride * unit, row.length,
          with: source + index * rows.inputStride * unit)
      }
      return
    }
    if row.outputStride == 1, row.inputStride == -1, row.length > Self.fewElements {
      for index in 0..<rows.length {
        unsafe ReversedRun(source + index * rows.inputStride * unit, count: row.length)
          .copy(to: target + index * rows.outputStride * unit, unit: unit)
      }
      return
    }
    if row.outputStride == 1, rows.inputStride == 1, rows.length > 1, row.inputStride > 0,
      rows.outputStride > 0
    {
      return unsafe TransposedMatrix(
        input: source, output: target, rowCount: row.length, columnCount: rows.length,
        inputStep: row.inputStride, outputStep: rows.outputStride
      ).copy(unit: unit)
    }
    switch unit {
    case 1: unsafe copyAnyElements(row, rows, source, target, UInt8.self)
    case 2: unsafe copyAnyElements(row, rows, source, target, UInt16.self)
    case 4: unsafe copyAnyElements(row, rows, source, target, UInt32.self)
    default: unsafe copyAnyElements(row, rows, source, target, UInt64.self)
    }
  }

  /// Elements of rows that are copied without a loop, such as the colors of a pixel.
  private static let fewElements = 4

  /// Copies rows element by element.
  private func copyAnyElements<Unit: BitwiseCopyable>(
    _ row: BoxCopy.Axis, _ rows: BoxCopy.Axis, _ source: UnsafeRawPointer,
    _ target: UnsafeMutableRawPointer, _: Unit.Type
  ) {
    switch row.length {
    case 2: unsafe copyFewElements(2, row, rows, source, target, Unit.self)
    case 3: unsafe copyFewElements(3, row, rows, source, target, Unit.self)
    case Self.fewElements: unsafe copyFewElements(4, row, rows, source, target, Unit.self)
    default: unsafe copyElements(row, rows, source, target, Unit.self)
    }
  }

  /// Writes `count` times one element.
  private func fill(
    _ target: UnsafeMutableRawPointer, _ count: Int, with value: UnsafeRawPointer
  ) {
    switch unit {
    case 1: unsafe repeatElement(target, count, value, UInt8.self)
    case 2: unsafe repeatElement(target, count, value, UInt16.self)
    case 4: unsafe repeatElement(target, count, value, UInt32.self)
    default: unsafe repeatElement(target, count, value, UInt64.self)
    }
  }
}

@inline(__always)
private func repeatElement<Unit: BitwiseCopyable>(
  _ target: UnsafeMutableRawPointer, _ count: Int, _ value: UnsafeRawPointer, _: Unit.Type
) {
  unsafe target.initializeMemory(
    as: Unit.self, repeating: value.loadUnaligned(as: Unit.self), count: count)
}

/// Copies rows of `count` elements.
@inline(__always)
private func copyFewElements<Unit: BitwiseCopyable>(
  _ count: Int, _ row: BoxCopy.Axis, _ rows: BoxCopy.Axis, _ source: UnsafeRawPointer,
  _ target: UnsafeMutableRawPointer, _: Unit.Type
) {
  var input = unsafe source.assumingMemoryBound(to: Unit.self)
  var output = unsafe target.assumingMemoryBound(to: Unit.self)
  for _ in 0..<rows.length {
    for element in 0..<count {
      unsafe output[element &* row.outputStride] = input[element &* row.inputStride]
    }
    unsafe input += rows.inputStride
    unsafe output += rows.outputStride
  }
}

/// Copies rows element by element: of all rows first the same few columns, so that what they read
/// stays in the first-level cache where rows lie side by side in the input.
@inline(__always)
private func copyElements<Unit: BitwiseCopyable>(
  _ row: BoxCopy.Axis, _ rows: BoxCopy.Axis, _ source: UnsafeRawPointer,
  _ target: UnsafeMutableRawPointer, _: Unit.Type
) {
  let input = unsafe source.assumingMemoryBound(to: Unit.self)
  let output = unsafe target.assumingMemoryBound(to: Unit.self)
  let step = 64
  for column in stride(from: 0, to: row.length, by: step) {
    let columns = column..<min(column + step, row.length)
    for index in 0..<rows.length {
      let from = index &* rows.inputStride
      let to = index &* rows.outputStride
      for element in columns {
        unsafe output[to &+ element &* row.outputStride] =
          input[from &+ element &* row.inputStride]
      }
    }
  }
}
