// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for searches, reductions and normalizations of rows against the reference
/// kernels.
@Suite struct OptimizedRowTests {
  static let lengths = Array(1...70) + [255, 256, 257, 1001]

  @Test(arguments: [OperatorCode.argMax, .argMin], lengths)
  func `locations of extremes`(code: OperatorCode, length: Int) throws {
    var random = SeededRandom(seed: length)
    for type in [ElementType.int32, .int64] {
      let shape: Shape = [random.pick([1, 2, 9, 200]), length]
      var values = random.fewFloats(shape.elementCount)
      // A row without numbers, and one whose numbers are infinite.
      for index in 0..<length { values[index] = .nan }
      if shape[0] > 1 {
        let worst: Float = code == .argMax ? -.infinity : .infinity
        for index in length..<2 * length { values[index] = index % 3 == 0 ? .nan : worst }
      }
      var options: any OptionsTable
      if code == .argMax {
        var greatest = ArgMaxOptions()
        greatest.outputType = type
        options = greatest
      } else {
        var least = ArgMinOptions()
        least.outputType = type
        options = least
      }
      try OptimizedProblem(
        seed: length, code: code, options: options,
        inputs: [Tensor(shape, values), Tensor([1], [-1] as [Int32]).constant],
        output: TensorType(type, []), rounding: .double
      ).expectSameBytes(workerCounts: [1, 2, 3, 4])
    }
  }

  @Test(arguments: [OperatorCode.reduceMax, .reduceMin], lengths.dropFirst())
  func extremes(code: OperatorCode, length: Int) throws {
    var random = SeededRandom(seed: length)
    for axes in [[2], [1, 2], [0, 1], [1], [0, 1, 2]] as [[Int32]] {
      let shape: Shape = [random.pick([1, 3]), random.pick([2, 9, 31]), length]
      var values = random.fewFloats(shape.elementCount)
      values[0] = random.pick([.nan, -.infinity, .infinity, 0, -0.0, 3])
      // Zeroes of both signs are the extremes of many a row.
      if length % 2 == 0 {
        values = values.map { ($0 < 0) == (code == .reduceMax) || $0 == 0 ? $0 : -$0 }
      }
      try Self.reduction(code, shape, values, axes, seed: length)
        .expectSameBytes(workerCounts: [1, 2, 3, 4])
    }
  }

  @Test(arguments: [OperatorCode.sum, .mean], 1...70)
  func `sums in the order of storage`(code: OperatorCode, length: Int) throws {
    var random = SeededRandom(seed: length)
    for axes in [[2], [0, 1], [1]] as [[Int32]] {
      let shape: Shape = [random.pick([2, 3]), random.pick([2, 9, 31]), length + 1]
      var values = random.floats(shape.elementCount)
      // Long rows are summed by sixteen partial sums.
      guard axes == [1] || length < 15 else {
        try Self.reduction(code, shape, values, axes, seed: length)
          .expectCloseFloats(terms: length + 1)
        continue
      }
      switch length % 3 {
      case 0: values[random.pick([0, values.count - 1])] = random.pick([.nan, .infinity])
      case 1: for index in 0...length { values[index] = -0.0 }
      default: values = values.map { _ in -0.0 }
      }
      try Self.reduction(code, shape, values, axes, seed: length)
        .expectSameBytes(workerCounts: [1, 2, 3, 4])
    }
  }

  @Test(arguments: [OperatorCode.sum, .reduceMax, .reduceMin], [[0], [1]] as [[Int32]])
  func `columns of many rows`(code: OperatorCode, axes: [Int32]) throws {
    var random = SeededRandom(seed: code.hashValue)
    let shape: Shape = axes == [0] ? [190, 97] : [3, 190, 97]
    let problem = Self.reduction(
      code, shape, random.floats(shape.elementCount).map { $0 / 8 }, axes, seed: 1)
    if code == .sum {
      try problem.expectCloseFloats(terms: 16)
    } else {
      try problem.expectSameBytes(workerCounts: [1, 2, 3, 4])
    }
  }

  @Test(arguments: lengths)
  func `floats by their length`(rowLength: Int) throws {
    var random = SeededRandom(seed: rowLength)
    let shape: Shape = [random.pick([1, 2, 9, 200]), rowLength]
    var values = random.floats(shape.elementCount)
    // The first row is nearly nothing.
    for index in 0..<rowLength { values[index] *= random.pick([0, 1e-9, 1e-30]) }
    try OptimizedProblem(
      seed: rowLength, code: .l2Normalization, options: L2NormOptions(),
      inputs: [Tensor(shape, values)], output: TensorType(.float32, []), rounding: .double
    ).expectCloseFloats(terms: 3)
  }

  @Test(arguments: [Rounding.double, .single], lengths)
  func `codes by their length`(rounding: Rounding, rowLength: Int) throws {
    var random = SeededRandom(seed: rowLength)
    let shape: Shape = [random.pick([1, 2, 9, 200]), rowLength]
    func check<Code: TensorElement & FixedWidthInteger>(
      _ type: Code.Type, zeroPoint: Int64
    ) throws {
      let input = random.pick([.min, .max, 0, 5] as [Code])
      var codes = random.codes(shape.elementCount, as: Code.self)
      // The first row is nothing.
      for index in 0..<rowLength { codes[index] = input }
      try OptimizedProblem(
        seed: rowLength, code: .l2Normalization, options: L2NormOptions(),
        inputs: [Tensor(shape, codes, scale: 0.1, zeroPoint: Int64(input))],
        output: TensorType(
          Code.elementType, [],
          quantization: Quantization(scale: 1 / 128, zeroPoint: zeroPoint)),
        rounding: rounding
      ).expectSameBytes(workerCounts: [1, 2, 3, 4])
    }
    try check(Int8.self, zeroPoint: 0)
    try check(UInt8.self, zeroPoint: 128)
  }

  private static func reduction(
    _ code: OperatorCode, _ shape: Shape, _ values: [Float], _ axes: [Int32], seed: Int
  ) -> OptimizedProblem {
    OptimizedProblem(
      seed: seed, code: code, options: ReducerOptions(),
      inputs: [Tensor(shape, values), Tensor([axes.count], axes).constant],
      output: TensorType(.float32, []), rounding: .double)
  }
}

extension SeededRandom {
  /// Numbers of which many are equal, and some are none.
  fileprivate mutating func fewFloats(_ count: Int) -> [Float] {
    let values: [Float] = [.nan, -0.0, 0, 1, -1, 2.5, -2.5, 7, -7]
    return (0..<count).map { _ in pick(values) }
  }
}
