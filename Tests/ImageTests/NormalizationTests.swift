// SPDX-License-Identifier: Apache-2.0

import Imaging
import Testing

/// Normalization.
@Suite struct NormalizationTests {
  private func image() throws -> PixelBuffer {
    try PixelBuffer(width: 2, height: 1, format: .rgb8, bytes: [0, 128, 255, 1, 2, 3])
  }

  @Test func `the usual ranges`() throws {
    let image = try image()
    #expect(try image.normalized(.none) == [0, 128, 255, 1, 2, 3])
    #expect(
      try image.normalized(.zeroToOne) == [0, 128, 255, 1, 2, 3].map { Float($0) / 255 })
    let centered: [Float] = [-1, 0.5 / 127.5, 1]
    #expect(try image.normalized(.minusOneToOne).prefix(3) == centered[...])
  }

  @Test func `one mean and deviation per channel`() throws {
    let normalization = try Normalization(mean: [0, 28, 55], standardDeviation: [1, 10, -100])
    #expect(try image().normalized(normalization) == [0, 10, -2, 1, -2.6, 0.52])
  }

  @Test func `quantized, halves away from zero, clamped`() throws {
    let image = try image()
    let bytes = try image.quantized(as: Int8.self, .none, scale: 1, zeroPoint: -128)
    #expect(bytes == [-128, 0, 127, -127, -126, -125])
    // x / 2 of 1, 3: 0.5 and 1.5.
    let halves = try image.quantized(as: UInt8.self, .none, scale: 2, zeroPoint: 0)
    #expect(halves == [0, 64, 128, 1, 1, 2])
    let shifted = try Normalization(mean: [2], standardDeviation: [1])
    let signed = try image.quantized(as: Int8.self, shifted, scale: 2, zeroPoint: 0)
    #expect(signed == [-1, 63, 127, -1, 0, 1])
    let extreme = try image.quantized(
      as: Int16.self, .none, scale: .leastNonzeroMagnitude, zeroPoint: .max)
    #expect(extreme == Array(repeating: .max, count: 6))
  }

  @Test func `what cannot be computed is refused`() throws {
    let image = try image()
    #expect(throws: ImagingError.normalizationCount(means: 0, deviations: 0)) {
      try Normalization(mean: [], standardDeviation: [])
    }
    #expect(throws: ImagingError.normalizationCount(means: 1, deviations: 3)) {
      try Normalization(mean: [1], standardDeviation: [1, 2, 3])
    }
    #expect(throws: ImagingError.normalizationValue(mean: 1, deviation: 0)) {
      try Normalization(mean: [1], standardDeviation: [0])
    }
    #expect(throws: ImagingError.self) {
      try Normalization(mean: [.nan], standardDeviation: [1])
    }
    #expect(throws: ImagingError.normalizationCount(means: 2, deviations: 2)) {
      try image.normalized(Normalization(mean: [1, 2], standardDeviation: [1, 2]))
    }
    for scale in [0, -1, Float.nan, .infinity] {
      #expect(throws: ImagingError.self) {
        try image.quantized(as: UInt8.self, .none, scale: scale, zeroPoint: 0)
      }
    }
    var short: [Float] = [0]
    #expect(throws: ImagingError.valueCount(1, wanted: 6)) {
      var output = short.mutableSpan
      try image.normalize(.none, into: &output)
    }
  }
}
