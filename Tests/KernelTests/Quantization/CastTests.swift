// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct CastTests {
  static func cast<Source: TensorElement, Target: TensorElement>(
    _ values: [Source], to type: Target.Type, kernels: KernelSet = .reference
  ) throws -> [Target] {
    try evaluate(
      .cast, [Tensor([values.count], values)], outputs: [TensorType(Target.elementType, [])],
      kernels: kernels
    )[0].values()
  }

  static let hard: [Float] = [.nan, .infinity, -.infinity, 300.7, -300.7, -0.9, 1.9]

  @Test(arguments: KernelSet.all)
  func `floats are truncated and saturate, and NaN is the greatest`(kernels: KernelSet) throws {
    #expect(
      try Self.cast(Self.hard, to: Int8.self, kernels: kernels)
        == [127, 127, -128, 127, -128, 0, 1])
    #expect(
      try Self.cast(Self.hard, to: UInt8.self, kernels: kernels) == [255, 255, 0, 255, 0, 0, 1])
    #expect(
      try Self.cast(Self.hard, to: Int32.self, kernels: kernels)
        == [.max, .max, .min, 300, -300, 0, 1])
    #expect(
      try Self.cast(Self.hard, to: Int64.self, kernels: kernels)
        == [.max, .max, .min, 300, -300, 0, 1])
  }

  @Test(arguments: KernelSet.all)
  func `integers wrap`(kernels: KernelSet) throws {
    #expect(
      try Self.cast([300, -1, 1 << 40] as [Int64], to: UInt8.self, kernels: kernels)
        == [44, 255, 0])
    #expect(try Self.cast([UInt32.max], to: Int32.self, kernels: kernels) == [-1])
  }

  @Test(arguments: KernelSet.all)
  func `anything but zero is true`(kernels: KernelSet) throws {
    let truth = try Self.cast([0, -0.0, .nan, 0.1] as [Float], to: BoolByte.self, kernels: kernels)
    #expect(truth.map(\.value) == [false, false, true, true])
    #expect(
      try Self.cast([BoolByte(true), BoolByte(false)], to: Float.self, kernels: kernels) == [1, 0])
  }

  @Test(arguments: KernelSet.all)
  func `complex numbers lose their imaginary part`(kernels: KernelSet) throws {
    let number = Complex<Float>(-2.5, 3)
    #expect(try Self.cast([number], to: Int16.self, kernels: kernels) == [-2])
    #expect(try Self.cast([number], to: Complex<Float>.self, kernels: kernels) == [number])
    #expect(
      try Self.cast([7] as [UInt16], to: Complex<Float>.self, kernels: kernels)
        == [Complex<Float>(7, 0)])
  }

  /// 2²⁴ + 1 lies between two floats, and 1 + 2⁻¹¹ between two half floats: the even one is taken.
  ///
  /// From double, 1 + 2⁻¹¹ + 2⁻⁴⁰ becomes the float 1 + 2⁻¹¹ first.
  @Test(arguments: KernelSet.all)
  func `floats are rounded to even, by way of float32`(kernels: KernelSet) throws {
    #expect(
      try Self.cast([16_777_217] as [Int32], to: Float.self, kernels: kernels) == [16_777_216])
    #expect(
      try Self.cast([1 + 0x1p-11] as [Float], to: Float16.self, kernels: kernels) == [1])
    #expect(
      try Self.cast([1 + 0x1p-11 + 0x1p-40] as [Double], to: Float16.self, kernels: kernels)
        == [1])
    #expect(
      try Self.cast([1 + 0x1p-8] as [Float], to: BFloat16.self, kernels: kernels) == [BFloat16(1)])
  }

  @Test(arguments: KernelSet.all)
  func `packed codes become numbers and back`(kernels: KernelSet) throws {
    let codes = Tensor(
      TensorType(.int4, [3]), TensorBytes(copying: [0x81, 0x07] as [UInt8]), isConstant: false)
    let reals = try evaluate(
      .cast, [codes], outputs: [TensorType(.float32, [])], kernels: kernels)
    #expect(reals[0].values() == [1, -8, 7] as [Float])
    let packed = try evaluate(
      .cast, reals, outputs: [TensorType(.int4, [])], kernels: kernels)
    #expect(packed[0].values() == [0x81, 0x07] as [UInt8])
  }

  @Test func `every pair of the catalogue's variants has a kernel`() throws {
    let types: [String: ElementType] = [
      "f32": .float32, "f16": .float16, "bf16": .bfloat16, "f64": .float64, "i8": .int8,
      "u8": .uint8, "i16": .int16, "u16": .uint16, "i32": .int32, "u32": .uint32, "i64": .int64,
      "bool": .bool, "c64": .complex64, "i4": .int4, "u4": .uint4, "i2": .int2,
    ]
    let variants = try #require(OperatorCatalog.entry(of: .cast)).variants
    #expect(variants.count == 13 * 13 + 6)
    for variant in variants {
      let ends = variant.split(separator: "_").map(String.init)
      let (source, target) = (try #require(types[ends[0]]), try #require(types[ends[2]]))
      let input = Tensor(
        TensorType(source, [2]), TensorBytes(zeroed: source.byteCount(of: 2) ?? 0),
        isConstant: false)
      let result = try evaluate(.cast, [input], outputs: [TensorType(target, [])])
      #expect(result[0].type == TensorType(target, [2]))
    }
  }

  @Test func `strings cannot be cast`() throws {
    #expect(throws: KernelError.self) {
      try evaluate(.cast, [Tensor([1], [1] as [Float])], outputs: [TensorType(.string, [])])
    }
  }
}
