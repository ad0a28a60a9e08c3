// SPDX-License-Identifier: Apache-2.0

import Npy
import Tensors
import Testing

/// Comparing arrays.
@Suite struct ComparisonTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let actual: NpyArray
    let expected: NpyArray
    let tolerance: Tolerance
    let agreement: Agreement

    init(
      _ description: String, _ actual: NpyArray, _ expected: NpyArray, _ agreement: Agreement,
      tolerance: Tolerance = .usual
    ) {
      testDescription = description
      self.actual = actual
      self.expected = expected
      self.tolerance = tolerance
      self.agreement = agreement
    }
  }

  static func floats(_ values: Float..., shape: Shape? = nil) throws -> NpyArray {
    try NpyArray(values, shape: shape)
  }

  static func rows() throws -> [Row] {
    let nan = Float.nan
    let infinity = Float.infinity
    return [
      Row("equal floats", try floats(1, 2), try floats(1, 2), .exact),
      Row("zeros of both signs", try floats(0), try floats(-0.0), .exact),
      Row("NaN at the same location", try floats(nan, 1), try floats(-nan, 1), .exact),
      Row(
        "NaN elsewhere", try floats(1, nan), try floats(1, 1),
        .differs("NaN elsewhere: element 1")),
      Row(
        "within 2e-5 of the largest", try floats(1000.0078125, 0), try floats(1000, 0),
        .within(largest: 0.0078125, allowed: 2e-5 * 1000)),
      Row(
        "beyond 2e-5 of the largest", try floats(1000.25), try floats(1000),
        .differs("element 0 off by 0.25, allowed 0.02, largest 1000.0")),
      Row(
        "a tolerance that is given", try floats(1000.25), try floats(1000),
        .within(largest: 0.25, allowed: 0.5), tolerance: .absolute(0.5)),
      Row(
        "a tolerance of zero", try floats(1.5), try floats(1),
        .differs("element 0 off by 0.5, allowed 0.0, largest 1.0"), tolerance: .absolute(0)),
      Row(
        "infinity does not widen the tolerance", try floats(1.5, infinity),
        try floats(1, infinity), .differs("element 0 off by 0.5, allowed 2e-05, largest 1.0")),
      Row(
        "infinity for a number", try floats(infinity), try floats(1),
        .differs("element 0 off by inf, allowed 2e-05, largest 1.0")),
      Row(
        "infinities of both signs", try floats(infinity), try floats(-infinity),
        .differs("element 0 off by inf, allowed 1e-09, largest 0.0")),
      Row(
        "integers do not tolerate", try NpyArray([Int8(-128), 3]), try NpyArray([Int8(127), 3]),
        .differs("1/2 differ, most 255"), tolerance: .absolute(300)),
      Row(
        "the widest distance", try NpyArray([Int64.min]), try NpyArray([Int64.max]),
        .differs("1/1 differ, most 18446744073709551615")),
      Row(
        "other type", try NpyArray([Int8(1)]), try NpyArray([UInt8(1)]),
        .differs("type int8 for uint8")),
      Row(
        "other shape", try floats(1, 2, shape: [2, 1]), try floats(1, 2),
        .differs("shape 2x1 for 2")),
      Row(
        "complex numbers by their distance", try NpyArray([Complex<Float>(3, 4)]),
        try NpyArray([Complex<Float>(0, 0)]), .within(largest: 5, allowed: 5),
        tolerance: .absolute(5)),
      Row(
        "strings regardless of the longest",
        try NpyArray(.string(byteCount: 2), [1], bytes: [65, 0]),
        try NpyArray(.string(byteCount: 1), [1], bytes: [65]), .exact),
      Row(
        "other strings", try NpyArray(.string(byteCount: 2), [2], bytes: [65, 0, 66, 66]),
        try NpyArray(.string(byteCount: 2), [2], bytes: [65, 65, 66, 66]),
        .differs("1/2 differ")),
      Row("nothing", try floats(), try floats(), .exact),
      Row(
        "a part of each element", try floats(100.5, 0.25), try floats(100, 0),
        .within(largest: 0.25, allowed: 0.5),
        tolerance: .perElement(absolute: 0.5, relative: 0.01)),
      Row(
        "the worst by its own allowance", try floats(101, 0.25, 7), try floats(100, 0, 7),
        .differs("element 1 off by 0.25, allowed 0.125, largest 100.0"),
        tolerance: .perElement(absolute: 0.125, relative: 0.01)),
    ]
  }

  @Test(arguments: try rows())
  func `agreement`(row: Row) {
    #expect(row.actual.agreement(with: row.expected, tolerance: row.tolerance) == row.agreement)
  }
}
