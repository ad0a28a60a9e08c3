// SPDX-License-Identifier: Apache-2.0

import MicrokernelChecks
import Microkernels
import OptimizedKernels
import Tensors
import Testing

/// The kernels of every level that this processor has against plain loops.
@Suite struct MicrokernelTests {
  @Test(arguments: MicrokernelSet.tested, MicrokernelCheck.all)
  func `kernels give what plain loops do`(set: MicrokernelSet, check: MicrokernelCheck) {
    let comparison = check.run(set)
    #expect(comparison.count > 0)
    #expect(comparison.mismatch == nil)
  }

  /// What the checks expect of fixed point is what the reference kernels compute.
  @Test(arguments: FixedPoint.Rounding.allCases)
  func `fixed point by its definition`(rounding: FixedPoint.Rounding) {
    let numbers: [Int32] = [
      .min, .min + 1, -1_073_741_825, -1_073_741_824, -65_536, -257, -3, -2, -1, 0, 1, 2, 3, 255,
      65_535, 0x5555_5555, 1_073_741_823, 1_073_741_824, 1_073_741_825, .max - 1, .max,
    ]
    for exponent in -31...30 as ClosedRange<Int32> {
      for significand in numbers {
        let factor = FixedPoint(
          significand: significand, exponent: exponent, rounding: rounding)
        let reference = FixedPointMultiplier(
          significand: significand, exponent: exponent,
          rounding: rounding == .once ? .single : .double,
          shiftsHalvesUp: rounding == .twiceHalvesUp)
        for sum in numbers + Array(-70...70) {
          #expect(factor.scaled(sum) == reference.scale(sum), "\(sum) by \(factor)")
        }
      }
    }
  }
}
