// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `RFFT2D` of images of one row, as the frames of sounds are: the same results as the reference
/// kernel, eight images at a time.
final class FourierImages: BlockKernel {
  private typealias Lanes = FourierRows.Lanes

  /// Longer rows have too much scratch memory.
  private static let mostNumbers = 1 << 12
  /// Nanoseconds that a number of eight images takes, roughly.
  private static let nanosecondsPerNumber = 40.0

  private let loop: Rfft2DLoop
  private let transform: FourierTransform
  private let kernels: FloatMicrokernels

  /// The transforms of `loop`; nil where images have several rows, or very long ones.
  init?(_ loop: Rfft2DLoop, _ set: MicrokernelSet) {
    guard loop.height == 1, loop.inputHeight > 0, loop.width <= Self.mostNumbers else { return nil }
    self.loop = loop
    transform = FourierTransform(count: loop.width)
    kernels = set.float
  }

  private var groupCount: Int { (loop.count + Lanes.scalarCount - 1) / Lanes.scalarCount }

  func blockCount(workerCount: Int) -> Int {
    let nanoseconds = Double(groupCount) * Double(loop.width) * Self.nanosecondsPerNumber
    return min(
      WorkShare.blockCount(nanoseconds: nanoseconds, workerCount: workerCount), groupCount)
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Complex<Float>.self)
    let blockCount = blockCount(workerCount: workerCount)
    unsafe ScratchMemory.use(loop.width * FourierRows.numberByteCount) { numbers in
      unsafe transform.cosines.withUnsafeBufferPointer { cosines in
        unsafe transform.sines.withUnsafeBufferPointer { sines in
          guard let cosines = cosines.baseAddress, let sines = sines.baseAddress else { return }
          let rows = unsafe FourierRows(
            numbers: numbers, count: loop.width, cosines: cosines, sines: sines)
          while let block = next() {
            for group in share(block, of: blockCount, groupCount) {
              unsafe load(group, from: input, to: numbers)
              unsafe kernels.transform(rows)
              unsafe store(group, from: numbers, to: output)
            }
          }
        }
      }
    }
  }

  /// Brings the numbers of a group's images side by side; lanes without one repeat the last.
  private func load(
    _ group: Int, from input: UnsafePointer<Float>, to numbers: UnsafeMutableRawPointer
  ) {
    let step = loop.inputHeight * loop.inputWidth
    let first = group * Lanes.scalarCount
    let last = loop.count - 1
    @inline(__always)
    func row(_ lane: Int) -> UnsafePointer<Float> {
      unsafe input + min(first + lane, last) * step
    }
    let (a, b, c, d) = unsafe (row(0), row(1), row(2), row(3))
    let (e, f, g, h) = unsafe (row(4), row(5), row(6), row(7))
    let present = min(loop.width, loop.inputWidth)
    for (index, place) in transform.places.enumerated() {
      var lanes = SIMD8<Float>.zero
      if index < present {
        lanes = unsafe SIMD8(
          a[index], b[index], c[index], d[index], e[index], f[index], g[index], h[index])
      }
      let number = unsafe numbers + place &* FourierRows.numberByteCount
      unsafe number.storeBytes(of: Lanes(lanes), as: Lanes.self)
      unsafe number.storeBytes(
        of: .zero, toByteOffset: MemoryLayout<Lanes>.stride, as: Lanes.self)
    }
  }

  /// Writes the first half of each transform, and the number in the middle.
  private func store(
    _ group: Int, from numbers: UnsafeMutableRawPointer,
    to output: UnsafeMutablePointer<Complex<Float>>
  ) {
    let columns = loop.width / 2 + 1
    let first = group * Lanes.scalarCount
    let count = min(loop.count - first, Lanes.scalarCount)
    for column in 0..<columns {
      let number = unsafe numbers + column &* FourierRows.numberByteCount
      let real = unsafe SIMD8<Float>(number.load(as: Lanes.self))
      let imaginary = unsafe SIMD8<Float>(
        number.load(fromByteOffset: MemoryLayout<Lanes>.stride, as: Lanes.self))
      for lane in 0..<count {
        unsafe output[(first &+ lane) &* columns &+ column] = Complex(real[lane], imaginary[lane])
      }
    }
  }
}
