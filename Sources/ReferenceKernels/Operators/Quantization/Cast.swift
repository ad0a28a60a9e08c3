// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let cast = CatalogEntry(
    .cast, chapter: .quantization, formula: nil, versions: .upTo(9),
    variants: castVariants.joined(separator: " "),
    optimized: """
      i8_to_f32 u8_to_f32 i32_to_f32 i64_to_f32 bool_to_f32 f32_to_bool f32_to_i8 f32_to_u8 \
      f32_to_i32 f32_to_i64 i64_to_i32 bool_to_i32 i8_to_i32 u8_to_i32 i8_to_u8 u8_to_i8 i32_to_i64
      """,
    work: .eachOutput, reads: .everything
  ) { _ in
    Cast()
  }

  private static let castVariants: [String] = {
    let types = "f32 f16 bf16 f64 i8 u8 i16 u16 i32 u32 i64 bool c64".split(separator: " ")
    let pairs = types.flatMap { source in types.map { "\(source)_to_\($0)" } }
    let packed = ["i4", "u4", "i2"].flatMap { ["\($0)_to_f32", "f32_to_\($0)"] }
    return pairs + packed
  }()
}

/// `CAST`: each element as the nearest value of another type.
///
/// Floats become integers by truncation; what lies beyond the type becomes its nearest end, and
/// NaN its greatest value. Integers that do not fit wrap. Anything but 0 is true. Complex numbers
/// lose their imaginary part. Whatever becomes a half-precision float is rounded to float32 first.
/// Elements of the same type stay as they are.
/// Quantization plays no part. TFLite: `cast.cc`.
struct Cast: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    let output = try node.declaredOutput()
    let kernel = try kernel(from: input.elementType, to: output.elementType)
    let result = output.with(shape: input.shape)
    // Bytes of truth values need not be 0 or 1.
    guard input.elementType == result.elementType, input.elementType != .bool else {
      return Prepared(result, kernel)
    }
    return .sameBytes(result)
  }

  private func kernel(
    from source: ElementType, to target: ElementType
  ) throws(KernelError) -> any Kernel {
    switch source {
    case .float32:
      if let packed = packing(to: target) { return packed }
      return try kernel(Float.self, to: target)
    case .float16: return try kernel(Float16.self, to: target)
    case .bfloat16: return try kernel(BFloat16.self, to: target)
    case .float64: return try kernel(Double.self, to: target)
    case .int8: return try kernel(Int8.self, to: target)
    case .uint8: return try kernel(UInt8.self, to: target)
    case .int16: return try kernel(Int16.self, to: target)
    case .uint16: return try kernel(UInt16.self, to: target)
    case .int32: return try kernel(Int32.self, to: target)
    case .uint32: return try kernel(UInt32.self, to: target)
    case .int64: return try kernel(Int64.self, to: target)
    case .bool: return try kernel(BoolByte.self, to: target)
    case .complex64: return try kernel(Complex<Float>.self, to: target)
    case .int4 where target == .float32: return LoopKernel(UnpackingCast<Int4Elements>())
    case .uint4 where target == .float32: return LoopKernel(UnpackingCast<UInt4Elements>())
    case .int2 where target == .float32: return LoopKernel(UnpackingCast<Int2Elements>())
    case .int4, .uint4, .int2: throw .elementType(target, .output(0))
    case .string, .complex128, .uint64, .resource, .variant: throw .elementType(source, .input(0))
    }
  }

  private func kernel<Source: CastElement>(
    _ source: Source.Type, to target: ElementType
  ) throws(KernelError) -> any Kernel {
    LoopKernel(CastLoop<Source>(results: try CastResults(of: target)))
  }

  private func packing(to target: ElementType) -> (any Kernel)? {
    switch target {
    case .int4: LoopKernel(PackingCast<Int4Elements>())
    case .uint4: LoopKernel(PackingCast<UInt4Elements>())
    case .int2: LoopKernel(PackingCast<Int2Elements>())
    case _: nil
    }
  }
}

/// Packed quantized values as floats, without their scale.
package struct UnpackingCast<Format: PackedElements>: SteppedLoop {
  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: UInt8.self)
    var output = frame.output(0, as: Float.self)
    for index in output.indices {
      steps.about(index)
      steps.read(element: index, ofInput: 0)
      let value = Format.load(index, from: input)
      output[index] = steps.note("float", "\(value) as it is, without its scale", Float(value))
    }
  }
}

/// Floats as packed quantized values, without their scale.
package struct PackingCast<Format: PackedElements>: SteppedLoop {
  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var output = frame.output(0, as: UInt8.self)
    let (lowest, highest) = (Float(Format.lowest), Float(Format.highest))
    for index in input.indices {
      steps.about(index)
      let value = steps.read(input, index)
      let lowered = value < highest ? value : highest
      let clamped = steps.note(
        "clamp", "\(value) to \(Format.lowest)...\(Format.highest)",
        lowest < lowered ? lowered : lowest)
      let stored = steps.note("stored", "\(clamped) without its fraction", Int32(clamped))
      Format.store(stored, index, to: &output)
    }
  }
}
