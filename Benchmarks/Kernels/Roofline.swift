// SPDX-License-Identifier: Apache-2.0

import Microkernels
import OptimizedKernels

/// How fast a layer could be at best: its arithmetic at the rate of bare multiply-adds, or its
/// bytes at the rate at which a plain loop reads as many, whichever takes longer.
struct Roofline {
  /// Float operations per second of bare multiply-adds.
  let floatPeak: Double
  /// Products of bytes per second.
  let bytePeak: Double
  private let memory: MemoryRates

  /// Measures a level on the spot.
  init(_ peak: PeakLoops) {
    let rates = PeakRates(peak, .thorough)
    floatPeak = 2 * rates.float
    bytePeak = rates.byte
    memory = MemoryRates(peak, powers: 12...26, .thorough)
  }

  /// The least seconds of a layer in float.
  func floatSeconds(_ work: LayerWork) -> Double {
    max(2 * work.products / floatPeak, readingSeconds(work.values * 4))
  }

  /// The least seconds of a layer in bytes.
  func byteSeconds(_ work: LayerWork) -> Double {
    max(work.products / bytePeak, readingSeconds(work.values))
  }

  private func readingSeconds(_ byteCount: Int) -> Double {
    Double(byteCount) / memory.sample(byteCount).reading
  }
}

/// What a layer has to do at least.
struct LayerWork {
  /// Multiply-adds.
  let products: Double
  /// Numbers that it reads or writes, each once.
  let values: Int
}
