// SPDX-License-Identifier: Apache-2.0

import Microkernels

/// How fast a layer could be at best: its arithmetic at the rate of bare multiply-adds, or its
/// bytes at the rate at which a plain loop reads as many, whichever takes longer.
struct Roofline {
  /// Float operations per second of bare multiply-adds.
  let floatPeak: Double
  /// Products of bytes per second.
  let bytePeak: Double
  private let memory: MemoryRates

  /// Measures the arithmetic of a level on the spot.
  init(_ peak: PeakLoops, _ memory: MemoryRates) {
    self.memory = memory
    let rounds = 1_000_000
    var sink: Float = 0
    let floatSeconds = bestSeconds { sink += peak.float(rounds) }
    let byteSeconds = bestSeconds { sink += Float(peak.byte(rounds)) }
    floatPeak = Double(peak.floatOperations * rounds) / floatSeconds
    bytePeak = Double(peak.byteProducts * rounds) / byteSeconds
  }

  /// The least seconds of a layer in float.
  func floatSeconds(_ work: LayerWork) -> Double {
    max(2 * work.products / floatPeak, memory.seconds(work.values * 4))
  }

  /// The least seconds of a layer in bytes.
  func byteSeconds(_ work: LayerWork) -> Double {
    max(work.products / bytePeak, memory.seconds(work.values))
  }
}

/// What a layer has to do at least.
struct LayerWork {
  /// Multiply-adds.
  let products: Double
  /// Numbers that it reads or writes, each once.
  let values: Int
}

/// How fast a plain loop reads memory that it has just read, by size.
///
/// What fits into a cache is read from there, as a kernel's data are that runs again and again.
struct MemoryRates {
  /// Binary logarithms of the sizes that are measured: a page to more than most caches.
  private static let sizes = 12...26
  /// Bytes per second.
  private let rates: [Double]

  /// Measures them.
  init() { rates = Self.sizes.map { Self.rate(1 << $0) } }

  /// Seconds to read this many bytes.
  func seconds(_ byteCount: Int) -> Double {
    let size = Int.bitWidth - max(byteCount, 1).leadingZeroBitCount - 1
    let index = min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound)
    return Double(byteCount) / rates[index - Self.sizes.lowerBound]
  }

  private static func rate(_ byteCount: Int) -> Double {
    let memory = AlignedMemory(zeroed: byteCount)
    let vectors = unsafe memory.address.assumingMemoryBound(to: SIMD16<UInt32>.self)
    let count = byteCount / 64
    var sink = SIMD16<UInt32>()
    let seconds = bestSeconds {
      var sums = (SIMD16<UInt32>(), SIMD16<UInt32>())
      for index in stride(from: 0, to: count, by: 2) {
        unsafe sums.0 ^= vectors[index]
        unsafe sums.1 ^= vectors[index + 1]
      }
      sink ^= sums.0 ^ sums.1
    }
    precondition(sink == SIMD16(), "the memory is full of zeros")
    return Double(byteCount) / seconds
  }
}
