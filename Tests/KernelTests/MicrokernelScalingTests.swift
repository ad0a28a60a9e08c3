// SPDX-License-Identifier: Apache-2.0

import MicrokernelChecks
import Microkernels
import OptimizedKernels
import SeededRandom
import Tensors
import Testing

/// Scaling of sums to quantized values over random and extreme values.
///
/// With weights of zero a product's sums are its biases, so any sums can be fed to the tiles.
@Suite struct MicrokernelScalingTests {
  static let extremes: [Int32] = [
    .min, .min + 1, -1_073_741_825, -1_073_741_824, -1_073_741_823, -65_536, -257, -256, -3, -2,
    -1, 0, 1, 2, 3, 255, 256, 65_535, 1_073_741_823, 1_073_741_824, .max - 1, .max,
  ]
  static let outputs = [
    ByteOutput(zeroPoint: -3, lowest: -128, highest: 127, isSigned: true),
    ByteOutput(zeroPoint: 131, lowest: 7, highest: 255, isSigned: false),
    ByteOutput(zeroPoint: 127, lowest: -20, highest: 99, isSigned: true),
    ByteOutput(zeroPoint: -128, lowest: -128, highest: 60, isSigned: true),
  ]
  static let significands: [Int32] = [
    1 << 30, (1 << 30) + 1, 0x5555_5555, 0x7FFF_FFFE, .max, 0x6000_0000, 0,
  ]

  @Test(arguments: MicrokernelSet.tested, ScalingRounding.allCases)
  func `any sum by any factor`(set: MicrokernelSet, rounding: ScalingRounding) {
    var cases: [ScalingCase] = []
    for exponent in -31...30 as ClosedRange<Int32> {
      for significand in Self.significands {
        for sum in Self.extremes {
          cases.append(ScalingCase(sum, significand, exponent, rounding))
        }
      }
    }
    check(cases, set, rounding, isFast: false)
  }

  @Test(
    arguments: MicrokernelSet.tested,
    ScalingRounding.allCases)
  func `the fast form at its limits`(set: MicrokernelSet, rounding: ScalingRounding) {
    var cases: [ScalingCase] = []
    let sums = Self.extremes.filter { $0.magnitude < 1 << 30 }
    for exponent in -21 ... -1 as ClosedRange<Int32> {
      for significand in Self.significands {
        // Around every tie of the shift, on both sides of zero.
        let half: Int32 = 1 << (-exponent - 1)
        let ties = (-3...3).flatMap { [$0 - half, $0 + half, $0 + 3 * half, $0 - 5 * half] }
        for sum in sums + ties {
          cases.append(ScalingCase(sum, significand, exponent, rounding))
        }
      }
    }
    check(cases, set, rounding, isFast: true)
  }

  @Test(
    arguments: MicrokernelSet.tested,
    ScalingRounding.allCases)
  func `the fast form on random sums and factors`(set: MicrokernelSet, rounding: ScalingRounding) {
    var random = SeededRandom(seed: 5)
    let cases = (0..<60_000).map { _ in
      let exponent = Int32.random(in: -21 ... -1, using: &random)
      // Sums whose quantized values are mostly within a byte.
      let reach = min((400 as Int64) << Int64(-exponent), 1 << 30 - 1)
      let sum = Int32(Int64.random(in: -reach...reach, using: &random))
      return ScalingCase(
        sum, Int32.random(in: 1 << 30...Int32.max, using: &random), exponent, rounding)
    }
    check(cases, set, rounding, isFast: true)
  }

  @Test(arguments: MicrokernelSet.tested)
  func `any sum by any real factor`(set: MicrokernelSet) {
    let factors: [Double] = [
      0, 0.5, 0.5.nextDown, 0.0123, 1, 1.0.nextDown, -0.25, 2.5, 0x1p-24, 0x1p-31, 1e300, .nan,
      .infinity,
    ]
    var cases: [(sum: Int32, factor: Double)] = []
    for factor in factors {
      for sum in Self.extremes + [-5, 5, 40, -40] { cases.append((sum, factor)) }
    }
    for output in Self.outputs {
      let expected = cases.map {
        UInt8(
          truncatingIfNeeded: reallyScaled(
            $0.sum, factor: $0.factor, zeroPoint: output.zeroPoint, lowest: output.lowest,
            highest: output.highest))
      }
      // Vectors that are not whole, too.
      for start in [0, 1, cases.count - 9, cases.count - 20, cases.count - 40] {
        let part = cases[start...]
        let scaling = ByteScaling(
          factors: part.map(\.factor),
          positions: set.byte.layout.positions(columnCount: part.count), output: output)
        for rows in [1, 5] {
          let codes = run(part.map(\.sum), scaling, set, rows: rows)
          for row in 0..<rows {
            let wrong = part.indices.first {
              codes[row * part.count + $0 - start] != expected[$0]
            }
            #expect(wrong.map { "\(cases[$0]) is not \(expected[$0])" } == nil)
          }
        }
      }
    }
  }

  @Test(arguments: MicrokernelSet.tested, ScalingRounding.allCases)
  func `the fast form on sums that are shifted left`(
    set: MicrokernelSet, rounding: ScalingRounding
  ) {
    func cases(_ exponent: Int32) -> [ScalingCase] {
      Self.significands.dropLast().flatMap { significand in
        (Self.extremes.filter { $0.magnitude < 1 << 22 } + Array(-70...70)).map {
          ScalingCase($0, significand, exponent, rounding)
        }
      }
    }
    for exponent in -2...8 as ClosedRange<Int32> {
      let isFast = exponent < 0 || rounding != .once
      check(cases(exponent), set, rounding, isFast: isFast, sumBound: 1 << 22 - 1)
    }
    guard rounding != .once else { return }
    check((-21...8).flatMap(cases), set, rounding, isFast: true, sumBound: 1 << 22 - 1)
  }

  @Test(arguments: MicrokernelSet.tested, ScalingRounding.allCases)
  func `columns with one value for all their sums are fast`(
    set: MicrokernelSet, rounding: ScalingRounding
  ) {
    var cases: [ScalingCase] = []
    for sum in Self.extremes {
      for exponent in -31 ... -23 as ClosedRange<Int32> {
        cases.append(ScalingCase(sum, 0x5555_5555, exponent, rounding))
      }
    }
    check(cases, set, rounding, isFast: true, sumBound: 1 << 31) {
      Int64(cases[$0].sum)...Int64(cases[$0].sum)
    }
  }

  @Test(arguments: [Double(0.5).nextDown, 0.5, 1.5, Double(2.5).nextDown, -0.5, -2.5])
  func `rounding of real factors`(value: Double) {
    let code = reallyScaled(1, factor: value, zeroPoint: 3, lowest: -128, highest: 127)
    #expect(code == Int32(value.rounded(.toNearestOrAwayFromZero)) + 3)
  }

  @Test func `real factors that lead beyond 32 bits give the least integer, as x86 converts`() {
    func code(_ sum: Int32, _ factor: Double) -> Int32 {
      reallyScaled(sum, factor: factor, zeroPoint: 0, lowest: -128, highest: 127)
    }
    #expect(code(1, .nan) == -128)
    #expect(code(1, .infinity) == -128)
    #expect(code(-1, .infinity) == -128)
    #expect(code(.max, 1e300) == -128)
    #expect(code(.max, 1.0.nextDown) == 127)
  }

  /// Runs the cases as the columns of products with signed and unsigned output, of one row and of
  /// several, and compares every quantized value with the scalar definition.
  private func check(
    _ cases: [ScalingCase], _ set: MicrokernelSet, _ rounding: ScalingRounding, isFast: Bool,
    sumBound: Int64? = nil, sumRange: ((_ column: Int) -> ClosedRange<Int64>)? = nil
  ) {
    for output in Self.outputs {
      let scaling = ByteScaling(
        factors: cases.map(\.byteFactor), roundsTwice: rounding != .once,
        shiftsHalvesUp: rounding == .twiceHalvesUp,
        positions: set.byte.layout.positions(columnCount: cases.count),
        sumBound: sumBound ?? (isFast ? 1 << 30 - 1 : 1 << 31), sumRange: sumRange,
        output: output)
      #expect(scaling.isFast == isFast)
      let expected = cases.map { $0.code(output) }
      for rows in [1, 5] {
        let codes = run(cases.map(\.sum), scaling, set, rows: rows)
        for row in 0..<rows {
          let part = Array(codes[row * cases.count..<(row + 1) * cases.count])
          let wrong = part.indices.first { part[$0] != expected[$0] }
          #expect(wrong.map { "\(cases[$0]) gave \(part[$0]), not \(expected[$0])" } == nil)
        }
      }
    }
  }

  private func run(
    _ sums: [Int32], _ scaling: ByteScaling, _ set: MicrokernelSet, rows: Int
  ) -> [UInt8] {
    let layout = set.byte.layout
    let weights = GuardedBuffer([UInt8](repeating: 0, count: sums.count))
    let bias = GuardedBuffer(sums)
    let left = GuardedBuffer([UInt8](repeating: 1, count: 1))
    let output = GuardedBuffer([UInt8](repeating: 99, count: rows * sums.count))
    let packed = unsafe PackedByteMatrix(
      ByteMatrixSource(
        weights: weights.address, isSigned: true, zeroPoint: 0, columnStride: 1, depthStride: 1,
        columnCount: sums.count, depth: 1, bias: bias.address, activationZeroPoint: 0), layout)
    let starts = unsafe GuardedBuffer(
      (0..<rows).map { _ in unsafe UnsafeRawPointer(left.address) })
    let scratch = AlignedMemory(zeroed: layout.scratchByteCount(depth: 1))
    unsafe set.byte.gemm(
      ByteGemmTask(
        rows: starts.address, rowPitch: rows, rowCount: rows, tapCount: 1, depth: 1,
        activationFlip: 0, weights: packed.panels(from: 0), columnCount: sums.count,
        finish: scaling.finish(),
        output: UnsafeMutableRawPointer(output.address), outputStride: sums.count,
        scratch: scratch.address))
    return output.elements
  }
}

/// The ways in which sums are rounded.
enum ScalingRounding: CaseIterable {
  case once, twice, twiceHalvesUp
}

/// A sum and the factor it is scaled by.
private struct ScalingCase {
  let sum: Int32
  let factor: FixedPointMultiplier

  init(_ sum: Int32, _ significand: Int32, _ exponent: Int32, _ rounding: ScalingRounding) {
    self.sum = sum
    factor = FixedPointMultiplier(
      significand: significand, exponent: exponent,
      rounding: rounding == .once ? .single : .double,
      shiftsHalvesUp: rounding == .twiceHalvesUp)
  }

  var byteFactor: ByteFactor {
    ByteFactor(significand: factor.significand, exponent: factor.exponent)
  }

  func code(_ output: ByteOutput) -> UInt8 {
    let code = factor.scale(sum) &+ output.zeroPoint
    return UInt8(truncatingIfNeeded: min(max(code, output.lowest), output.highest))
  }
}
