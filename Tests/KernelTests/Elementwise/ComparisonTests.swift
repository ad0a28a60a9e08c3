// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct ComparisonTests {
  static let bool = TensorType(.bool, [])

  static func truth(_ tensor: Tensor) -> [Bool] {
    tensor.values(as: BoolByte.self).map(\.value)
  }

  /// What each relation says of 1 and 2, 2 and 2, 3 and 2, and of NaN and 2.
  static let relations: [(OperatorCode, [Bool])] = [
    (.equal, [false, true, false, false]),
    (.notEqual, [true, false, true, true]),
    (.less, [true, false, false, false]),
    (.lessEqual, [true, true, false, false]),
    (.greater, [false, false, true, false]),
    (.greaterEqual, [false, true, true, false]),
  ]

  @Test(arguments: KernelSet.all, relations)
  func `operators of floats`(kernels: KernelSet, relation: (code: OperatorCode, expected: [Bool]))
    throws
  {
    let result = try evaluate(
      relation.code, [Tensor([4], [1, 2, 3, .nan] as [Float]), Tensor([], [2] as [Float])],
      outputs: [Self.bool], kernels: kernels)
    #expect(result[0].type == TensorType(.bool, [4]))
    #expect(Self.truth(result[0]) == relation.expected)
  }

  @Test(arguments: KernelSet.all, relations)
  func `operators of integers`(kernels: KernelSet, relation: (code: OperatorCode, expected: [Bool]))
    throws
  {
    let result = try evaluate(
      relation.code, [Tensor([3], [1, 2, 3] as [Int64]), Tensor([1], [2] as [Int64])],
      outputs: [Self.bool], kernels: kernels)
    #expect(Self.truth(result[0]) == Array(relation.expected.prefix(3)))
  }

  /// Real operands 0.5, 1, 1.5 and 1.
  @Test(arguments: KernelSet.all, relations)
  func `codes are compared by what they stand for`(
    kernels: KernelSet, relation: (code: OperatorCode, expected: [Bool])
  ) throws {
    let result = try evaluate(
      relation.code,
      [
        Tensor([3], [-9, -8, -7] as [Int8], scale: 0.5, zeroPoint: -10),
        Tensor([1], [9] as [Int8], scale: 0.25, zeroPoint: 5),
      ],
      outputs: [Self.bool], kernels: kernels)
    #expect(Self.truth(result[0]) == Array(relation.expected.prefix(3)))
  }

  @Test(arguments: KernelSet.all)
  func `int16 codes are equal by value but ordered by code`(kernels: KernelSet) throws {
    let operands = [
      Tensor([1], [4] as [Int16], scale: 0.25), Tensor([1], [2] as [Int16], scale: 0.5),
    ]
    let equal = try evaluate(.equal, operands, outputs: [Self.bool], kernels: kernels)
    #expect(Self.truth(equal[0]) == [true])
    let greater = try evaluate(.greater, operands, outputs: [Self.bool], kernels: kernels)
    #expect(Self.truth(greater[0]) == [true])
  }

  static func strings(_ shape: Shape, _ strings: [String]) throws -> Tensor {
    let lengths = strings.map(\.utf8.count)
    let header = try StringTensor.header(lengths: lengths).flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return Tensor(
      TensorType(.string, shape), TensorBytes(copying: header + strings.flatMap(\.utf8)),
      isConstant: true)
  }

  @Test(arguments: KernelSet.all)
  func `strings are equal byte for byte`(kernels: KernelSet) throws {
    let operands = [
      try Self.strings([2, 1], ["a", "é"]), try Self.strings([3], ["", "é", "a"]),
    ]
    let equal = try evaluate(.equal, operands, outputs: [Self.bool], kernels: kernels)
    #expect(equal[0].type.shape == [2, 3])
    #expect(Self.truth(equal[0]) == [false, false, true, false, true, false])
    let notEqual = try evaluate(.notEqual, operands, outputs: [Self.bool], kernels: kernels)
    #expect(Self.truth(notEqual[0]) == [true, true, false, true, false, true])
    #expect(throws: KernelError.self) {
      try evaluate(.less, operands, outputs: [Self.bool])
    }
  }

  @Test func `damaged strings are refused`() throws {
    let good = try Self.strings([1], ["a"])
    for bytes: [UInt8] in [[], [1], [255, 255, 255, 255], [2, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0]] {
      let bad = Tensor(
        TensorType(.string, [1]), TensorBytes(copying: bytes), isConstant: true)
      #expect(throws: KernelError.self) {
        try evaluate(.equal, [good, bad], outputs: [Self.bool])
      }
    }
  }

  @Test func `codes need a scale that is not 1`() throws {
    for scale: Float? in [nil, 0, 1] {
      #expect(throws: KernelError.self) {
        try evaluate(
          .less,
          [Tensor([1], [1] as [Int8], scale: scale), Tensor([1], [1] as [Int8], scale: 0.5)],
          outputs: [Self.bool])
      }
    }
  }

  @Test(arguments: KernelSet.all)
  func `logic takes any byte but 0 for true`(kernels: KernelSet) throws {
    var other = BoolByte(true)
    other.byte = 7
    let left = Tensor([4], [BoolByte(false), BoolByte(false), other, other])
    let right = Tensor([4], [BoolByte(false), other, BoolByte(false), BoolByte(true)])
    for (code, expected) in [
      (OperatorCode.logicalAnd, [false, false, false, true]),
      (.logicalOr, [false, true, true, true]),
    ] {
      let result = try evaluate(code, [left, right], outputs: [Self.bool], kernels: kernels)
      #expect(Self.truth(result[0]) == expected)
    }
    let opposite = try evaluate(.logicalNot, [left], outputs: [Self.bool], kernels: kernels)
    #expect(opposite[0].values() == [1, 1, 0, 0] as [UInt8])
  }
}
