// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `ARG_MAX` and `ARG_MIN` of 8-bit codes along the innermost axis, where it is short.
///
/// Code and place together are one 16-bit number, whose largest stands for the first of the
/// largest codes.
final class RowExtremum: BlockKernel {
  /// Places that 8 bits hold.
  private static let longest = 256

  private let loops: AxisLoops
  private let flip: UInt8
  private let indexIsWide: Bool

  /// The search of `loop`; nil where its axis is not the innermost one, or too long.
  init?<Element, Index>(_ loop: ArgMinMaxLoop<Element, Index>)
  where Element: FixedWidthInteger {
    guard loop.loops.innerCount == 1, loop.loops.length <= Self.longest, Element.bitWidth == 8
    else { return nil }
    loops = loop.loops
    // Numbers are compared as signed: unsigned codes move down, and for the least all turn around.
    flip = (Element.isSigned ? 0 : 0x80) ^ (loop.isMaximum ? 0 : 0xFF)
    indexIsWide = Index.bitWidth == 64
  }

  func blockCount(workerCount: Int) -> Int {
    ElementBlocks(loops.outerCount, workerCount: workerCount).count
  }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    guard let input = unsafe frame.inputAddress(0) else { return }
    let codes = unsafe input.assumingMemoryBound(to: UInt8.self)
    let output = unsafe frame.outputAddress(0)
    let blocks = ElementBlocks(loops.outerCount, workerCount: workerCount)
    while let block = next() {
      for row in blocks[block] {
        let place = unsafe place(codes + row * loops.length)
        if indexIsWide {
          unsafe output.storeBytes(of: Int64(place), toByteOffset: row * 8, as: Int64.self)
        } else {
          unsafe output.storeBytes(of: Int32(place), toByteOffset: row * 4, as: Int32.self)
        }
      }
    }
  }

  /// Where a row's extremum is.
  private func place(_ codes: UnsafePointer<UInt8>) -> Int {
    typealias Lanes = SIMD8<Int16>
    var best = Lanes(repeating: .min)
    var places = Lanes(255, 254, 253, 252, 251, 250, 249, 248)
    let flips = SIMD8<UInt8>(repeating: flip)
    var index = 0
    while index + 8 <= loops.length {
      let lanes = unsafe UnsafeRawPointer(codes + index).loadUnaligned(as: SIMD8<UInt8>.self)
      let high = SIMD8<UInt16>(truncatingIfNeeded: lanes ^ flips) &<< 8
      let keys = Lanes(truncatingIfNeeded: high) | places
      best.replace(with: keys, where: keys .> best)
      places &-= 8
      index += 8
    }
    var greatest = best.max()
    while index < loops.length {
      let high = unsafe UInt16(codes[index] ^ flip) &<< 8
      let key = Int16(bitPattern: high | UInt16(truncatingIfNeeded: 255 - index))
      greatest = max(greatest, key)
      index += 1
    }
    return 255 - Int(greatest & 255)
  }
}
