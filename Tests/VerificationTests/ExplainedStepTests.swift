// SPDX-License-Identifier: Apache-2.0

import Explanations
import Foundation
import ModelFormat
import ReferenceKernels
import Tensors
import Testing

/// The worked examples of `Docs/Numerics.md`, step by step.
@Suite struct ExplainedStepTests {
  private func values(_ steps: StepList) -> [String: StoredValue] {
    Dictionary(steps.steps.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  @Test(arguments: [
    (Int32(1234), 1055, Int32(2), Int32(2)), (-899, -768, -2, -2), (299, 256, 1, 0),
    (2097, 1792, 4, 3),
  ])
  func `a convolution's sum`(sum: Int32, high: Int, double: Int32, single: Int32) {
    let factor = 0.0235 * 0.0078125 / 0.11
    var steps = StepList()
    #expect(steps.scale(sum, by: FixedPointMultiplier(factor, rounding: .double)) == double)
    #expect(values(steps)["high product"] == .integer(high))
    #expect(values(steps)["shift"] == .integer(Int(double)))
    #expect(steps.steps[0].multiplier?.significand == 1_835_122_390)
    #expect(steps.steps[0].multiplier?.exponent == -9)
    steps = StepList()
    #expect(steps.scale(sum, by: FixedPointMultiplier(factor, rounding: .single)) == single)
    #expect(steps.steps.map(\.name) == ["multiplier", "rounding"])
    #expect(steps.steps[1].value == .integer(Int(single)))
  }

  @Test(arguments: [
    (Int32(3), 0.5, Int32(2), Int32(2)), (-3, 0.5, -1, -1), (5, 0.25, 2, 1),
  ])
  func `products of a factor`(value: Int32, factor: Double, double: Int32, single: Int32) {
    for (rounding, expected) in [(Rounding.double, double), (.single, single)] {
      var steps = StepList()
      #expect(steps.scale(value, by: FixedPointMultiplier(factor, rounding: rounding)) == expected)
    }
  }

  @Test func `sixteen bits of a significand`() {
    var steps = StepList()
    let factor = FixedPointMultiplier(0.001, rounding: .double)
    #expect(steps.scaleWide(1_234_500, by: factor) == 1234)
    #expect(values(steps)["16-bit multiplier"] == .integer(16777))
  }

  @Test func `the operands and the sum of ADD`() {
    func factor(_ real: Double) -> FixedPointMultiplier {
      FixedPointMultiplier(real, rounding: .double)
    }
    var steps = StepList()
    let left = steps.scale(4_194_304, by: factor(0.5))
    let right = steps.scale(5_242_880, by: factor(0.25))
    #expect(left == 2_097_152 && right == 1_310_720)
    let scaled = steps.scale(left + right, by: factor(1 / (0x1p20 * Double(Float(0.4)))))
    #expect(steps.addZeroPoint(scaled, 5) == 13)
  }

  @Test func `the sum of MEAN`() {
    var steps = StepList()
    let factor = FixedPointMultiplier(
      significand: 894_784_853, exponent: 0, rounding: .double)
    #expect(steps.scale(7, by: factor) == 3)
  }

  @Test func `halves of the second rounding go up where they are to`() {
    for (halvesUp, expected) in [(false, Int32(-2)), (true, -1)] {
      var steps = StepList()
      #expect(steps.shift(-768, by: 9, halvesUp: halvesUp) == expected)
    }
  }

  @Test func `every step of scaling agrees with the kernels' function`() {
    var state: UInt64 = 1
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
    for _ in 0..<20_000 {
      let value = Int32(truncatingIfNeeded: next() >> 7) >> Int32(next() % 31)
      let real = Double(next() % 2_000_000 + 1) / Double(1 << (next() % 45))
      for rounding in Rounding.allCases {
        for shiftsHalvesUp in [false, true] {
          let factor = FixedPointMultiplier(
            real, rounding: rounding, shiftsHalvesUp: shiftsHalvesUp)
          guard factor.exponent <= 30 else { continue }
          var steps = StepList()
          #expect(steps.scale(value, by: factor) == factor.scale(value))
          #expect(steps.scaleWide(Int64(value), by: factor) == factor.scale(Int64(value)))
        }
      }
    }
  }
}

/// Where kernels are written.
@Suite struct KernelSourceTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: OperatorCatalog.entries + OperatorCatalog.custom)
  func `an operator's record stands in the file that it names`(entry: CatalogEntry) throws {
    let file = Self.folder.appendingPathComponent(entry.sourceFile)
    let text = try String(contentsOf: file, encoding: .utf8)
    let beginnings =
      entry.code == .custom
      ? ["custom", "onLists"].map { "\($0): \"\(entry.name)\"" } : [".\(entry.code)"]
    #expect(beginnings.contains { text.contains("= CatalogEntry(\n    \($0),") })
  }

  @Test func `parameters of a type are found`() {
    let sources = KernelSource.sources(
      of: "LoopKernel<ConvolutionLoop<Conv2DNest, QuantizedConvolution<Int8, Int8>>>")
    #expect(
      sources.map(\.type) == ["ConvolutionLoop", "Conv2DNest", "QuantizedConvolution"])
    #expect(sources[2].formula == "y = clamp(zᵧ + m[c] · (Σ (x − zₓ)(w − z_w) + bias))")
  }
}
