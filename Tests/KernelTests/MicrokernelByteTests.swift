// SPDX-License-Identifier: Apache-2.0

import MicrokernelChecks
import Microkernels
import OptimizedKernels
import SeededRandom
import Tensors
import Testing

/// Products of 8-bit matrices against plain loops: sums and quantized values equal bit for bit.
@Suite struct MicrokernelByteTests {
  static let types: [(activations: Bool, weights: Bool)] = [
    (true, true), (false, true), (false, false), (true, false),
  ]

  @Test(
    arguments: MicrokernelSet.tested,
    [(1, 1), (5, 3), (12, 32), (13, 33), (30, 47), (7, 64), (25, 100), (3, 17)])
  func `sums of any size are exact`(set: MicrokernelSet, size: (rows: Int, columns: Int)) {
    for (taps, depth) in [(1, 1), (1, 38), (9, 3), (4, 16), (1, 200)] {
      for types in Self.types {
        let problem = ByteProblem(
          rows: size.rows, columns: size.columns, taps: taps, depth: depth,
          signedActivations: types.activations, signedWeights: types.weights, seed: depth)
        #expect(problem.sums(set) == problem.expectedSums())
      }
    }
  }

  @Test(arguments: MicrokernelSet.tested)
  func `operands of the greatest magnitude do not saturate`(set: MicrokernelSet) {
    for types in Self.types {
      var problem = ByteProblem(
        rows: 3, columns: 19, taps: 1, depth: 3000, signedActivations: types.activations,
        signedWeights: types.weights, seed: 0)
      for code in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
        problem.left = problem.left.map { _ in code }
        for weight in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
          problem.weights = problem.weights.map { _ in weight }
          #expect(problem.sums(set) == problem.expectedSums())
        }
      }
    }
  }

  @Test(
    arguments: MicrokernelSet.tested,
    [Rounding.double, .single])
  func `codes by fixed point follow both rounding profiles`(set: MicrokernelSet, rounding: Rounding)
  {
    for (rows, columns) in [(13, 70), (1, 8), (1, 17), (1, 40), (1, 131), (4, 33), (24, 16)] {
      for (index, types) in Self.types.enumerated() {
        let problem = ByteProblem(
          rows: rows, columns: columns, taps: 2, depth: 19,
          signedActivations: types.activations, signedWeights: types.weights, seed: index)
        var random = SeededRandom(seed: rows)
        let factors = (0..<columns).map { _ in
          FixedPointMultiplier(Double.random(in: 1e-4...5e-2, using: &random), rounding: rounding)
        }
        let output = ByteOutput(
          zeroPoint: types.activations ? -7 : 12, lowest: types.activations ? -100 : 3,
          highest: types.activations ? 127 : 200, isSigned: types.activations)
        let scaling = problem.scaling(factors, rounding: rounding, output: output, set)
        #expect(scaling.isFast)
        #expect(
          problem.codes(set, scaling) == problem.expectedQuantized(factors, output: output))
      }
    }
  }

  @Test(
    arguments: MicrokernelSet.tested,
    [(9, 35), (1, 1), (1, 16), (1, 35), (1, 100), (1, 128)])
  func `codes by real factors round half away from zero`(
    set: MicrokernelSet, size: (rows: Int, columns: Int)
  ) {
    let columns = size.columns
    for (index, types) in Self.types.enumerated() where types.activations {
      let problem = ByteProblem(
        rows: size.rows, columns: columns, taps: 1, depth: 16 + index,
        signedActivations: types.activations, signedWeights: types.weights, seed: 3)
      // Powers of two give many ties.
      let factors: [Double] = (0..<columns).map { [0.5, 0.25, 0.125, 0.01][$0 % 4] }
      let output = ByteOutput(zeroPoint: 5, lowest: -128, highest: 127, isSigned: true)
      let scaling = ByteScaling(
        factors: factors, positions: set.byte.layout.positions(columnCount: columns),
        output: output)
      let expected = problem.expectedSums().enumerated().map { index, sum in
        let scaled = (Double(sum) * factors[index % columns]).rounded(.toNearestOrAwayFromZero)
        return UInt8(bitPattern: Int8(min(max(scaled + 5, -128), 127)))
      }
      #expect(problem.codes(set, scaling) == expected)
    }
  }
}

/// A product of 8-bit matrices with its operands.
private struct ByteProblem {
  let rows: Int
  let columns: Int
  let taps: Int
  let depth: Int
  let signedActivations: Bool
  let signedWeights: Bool
  let inputZeroPoint: Int32
  let weightZeroPoint: Int32
  var left: [UInt8]
  var weights: [UInt8]
  let bias: [Int32]

  init(
    rows: Int, columns: Int, taps: Int, depth: Int, signedActivations: Bool, signedWeights: Bool,
    seed: Int
  ) {
    (self.rows, self.columns, self.taps, self.depth) = (rows, columns, taps, depth)
    (self.signedActivations, self.signedWeights) = (signedActivations, signedWeights)
    var random = SeededRandom(seed: seed)
    inputZeroPoint = Int32.random(in: signedActivations ? -128...127 : 0...255, using: &random)
    weightZeroPoint = signedWeights ? 0 : Int32.random(in: 0...255, using: &random)
    left = (0..<taps * rows * depth).map { _ in UInt8.random(in: 0...255, using: &random) }
    weights = (0..<columns * taps * depth).map { _ in UInt8.random(in: 0...255, using: &random) }
    bias = (0..<columns).map { _ in Int32.random(in: -50_000...50_000, using: &random) }
  }

  func expectedSums() -> [Int32] {
    func value(_ code: UInt8, signed: Bool) -> Int32 {
      signed ? Int32(Int8(bitPattern: code)) : Int32(code)
    }
    var result: [Int32] = []
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = bias[column]
        for tap in 0..<taps {
          for k in 0..<depth {
            let activation = left[(tap * rows + row) * depth + k]
            let weight = weights[(column * taps + tap) * depth + k]
            sum +=
              (value(activation, signed: signedActivations) - inputZeroPoint)
              * (value(weight, signed: signedWeights) - weightZeroPoint)
          }
        }
        result.append(sum)
      }
    }
    return result
  }

  func expectedQuantized(_ factors: [FixedPointMultiplier], output: ByteOutput) -> [UInt8] {
    expectedSums().enumerated().map { index, sum in
      let code = factors[index % columns].scale(sum) + output.zeroPoint
      return UInt8(truncatingIfNeeded: min(max(code, output.lowest), output.highest))
    }
  }

  func scaling(
    _ factors: [FixedPointMultiplier], rounding: Rounding, output: ByteOutput,
    _ set: MicrokernelSet
  ) -> ByteScaling {
    ByteScaling(
      factors: factors.map { ByteFactor(significand: $0.significand, exponent: $0.exponent) },
      roundsTwice: rounding == .double,
      positions: set.byte.layout.positions(columnCount: columns),
      sumBound: Int64(taps * depth * 255 * 255 + 50_000), output: output)
  }

  func sums(_ set: MicrokernelSet) -> [Int32] {
    results(set, ByteScaling.none, filler: -1)
  }

  func codes(_ set: MicrokernelSet, _ scaling: ByteScaling) -> [UInt8] {
    results(set, scaling, filler: 99)
  }

  /// What both forms of weights give, which is the same.
  private func results<Element: BitwiseCopyable & Equatable>(
    _ set: MicrokernelSet, _ scaling: ByteScaling, filler: Element
  ) -> [Element] {
    let (usual, compact) = (
      run(set, scaling, filler: filler, compactCount: .max),
      run(set, scaling, filler: filler, compactCount: 0)
    )
    #expect(usual == compact)
    return usual
  }

  private func run<Element: BitwiseCopyable>(
    _ set: MicrokernelSet, _ scaling: ByteScaling, filler: Element, compactCount: Int
  ) -> [Element] {
    let output = GuardedBuffer([Element](repeating: filler, count: rows * columns))
    let layout = set.byte.layout
    let left = GuardedBuffer(left)
    let weights = GuardedBuffer(weights)
    let bias = GuardedBuffer(bias)
    let packed = unsafe PackedByteMatrix(
      ByteMatrixSource(
        weights: weights.address, isSigned: signedWeights, zeroPoint: weightZeroPoint,
        columnStride: taps * depth, depthStride: 1, columnCount: columns, depth: taps * depth,
        bias: bias.address, activationZeroPoint: inputZeroPoint + (signedActivations ? 128 : 0)),
      layout, compactCount: compactCount)
    #expect((packed.form == .compact) == (layout.isWide && compactCount == 0))
    let widened = AlignedMemory(
      zeroed: (columns + layout.panelWidth) / layout.panelWidth
        * layout.panelByteCount(depth: taps * depth))
    var panels = unsafe packed.panels(from: 0)
    if packed.form == .compact, rows > 1 {
      unsafe set.byte.widen(packed, 0..<columns, to: widened.address)
      unsafe panels = BytePanels(words: widened.address)
    }
    let starts = unsafe GuardedBuffer(
      (0..<taps * rows).map { unsafe UnsafeRawPointer(left.address + $0 * depth) })
    let scratch = GuardedBuffer(
      [UInt8](repeating: 0xAA, count: layout.scratchByteCount(depth: taps * depth)))
    unsafe set.byte.gemm(
      ByteGemmTask(
        rows: starts.address, rowPitch: rows, rowCount: rows, tapCount: taps, depth: depth,
        activationFlip: signedActivations ? 0x80 : 0, weights: panels, columnCount: columns,
        finish: scaling.finish(), output: UnsafeMutableRawPointer(output.address),
        outputStride: columns * MemoryLayout<Element>.stride,
        scratch: UnsafeMutableRawPointer(scratch.address)))
    return output.elements
  }
}
