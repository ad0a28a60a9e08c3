// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for resized images and searches in rows against the reference kernels, bit for
/// bit.
@Suite struct OptimizedResizeTests {
  @Test(arguments: OptimizedFormat.allCases, 0..<80)
  func `bilinear images`(format: OptimizedFormat, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shape: Shape = [
      random.pick([1, 2]), random.pick([1, 2, 7, 20]), random.pick([1, 3, 8, 30]),
      random.pick([1, 2, 3, 4, 8, 16, 21, 33]),
    ]
    let size = [random.pick([1, 2, 7, 13]), random.pick([2, 4, 5, 16, 40])].map(Int32.init)
    var options = ResizeBilinearOptions()
    (options.alignsCorners, options.halfPixelCenters) = random.pick([
      (false, false), (true, false), (false, true),
    ])
    let quantization = Quantization(scale: 0.05, zeroPoint: 3)
    let (input, output) =
      switch format {
      case .float:
        (Tensor(shape, random.floats(shape.elementCount)), TensorType(.float32, []))
      case .int8:
        (
          Tensor(
            shape, random.codes(shape.elementCount, as: Int8.self), scale: 0.05, zeroPoint: 3),
          TensorType(.int8, [], quantization: quantization)
        )
      case .uint8:
        (
          Tensor(
            shape, random.codes(shape.elementCount, as: UInt8.self), scale: 0.05, zeroPoint: 3),
          TensorType(.uint8, [], quantization: quantization)
        )
      }
    try OptimizedProblem(
      seed: seed, code: .resizeBilinear, options: options,
      inputs: [input, Tensor([2], size).constant], output: output,
      rounding: random.pick([.double, .single])
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.argMax, .argMin], 0..<20)
  func `extrema of rows of codes`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shape: Shape = [random.pick([1, 3, 5000]), random.pick([1, 3, 8, 21, 32, 200, 256])]
    let type: ElementType = random.pick([.int32, .int64])
    let input =
      Bool.random(using: &random)
      ? Tensor(shape, random.codes(shape.elementCount, as: Int8.self), scale: 1, zeroPoint: 0)
      : Tensor(shape, random.codes(shape.elementCount, as: UInt8.self), scale: 1, zeroPoint: 0)
    try OptimizedProblem(
      seed: seed, code: code, options: Self.options(code, type),
      inputs: [input, Tensor([1], [1] as [Int32]).constant], output: TensorType(type, []),
      rounding: .double
    ).expectSameBytes()
  }

  @Test(arguments: [OperatorCode.argMax, .argMin], 0..<30)
  func `extrema of columns`(code: OperatorCode, seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let shape: Shape = [
      random.pick([1, 2, 7]), random.pick([1, 2, 15, 16, 17, 300, 1000]),
      random.pick([2, 3, 17, 64, 900]),
    ]
    let type: ElementType = random.pick([.int32, .int64])
    let count = shape.elementCount
    let input: Tensor =
      switch seed % 3 {
      case 0: Tensor(shape, random.codes(count, as: Int8.self), scale: 1, zeroPoint: 0)
      case 1: Tensor(shape, random.codes(count, as: UInt8.self), scale: 1, zeroPoint: 0)
      default:
        // Columns with nothing but NaN, and with the worst of numbers as the best.
        Tensor(
          shape,
          (0..<count).map { index -> Float in
            switch index % shape[2] {
            case 0: .nan
            case 1: random.pick([.nan, code == .argMax ? -.infinity : .infinity])
            default:
              random.pick([.nan, 0, -0.0, 1, .infinity, Float.random(in: -2...2, using: &random)])
            }
          })
      }
    try OptimizedProblem(
      seed: seed, code: code, options: Self.options(code, type),
      inputs: [input, Tensor([1], [1] as [Int32]).constant], output: TensorType(type, []),
      rounding: .double
    ).expectSameBytes()
  }

  private static func options(_ code: OperatorCode, _ type: ElementType) -> any OptionsTable {
    if code == .argMax {
      var options = ArgMaxOptions()
      options.outputType = type
      return options
    }
    var options = ArgMinOptions()
    options.outputType = type
    return options
  }

  @Test(arguments: 0..<60)
  func `largest of rows`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let length = random.pick([1, 10, 300, 3000])
    let count = random.pick([0, 1, 3, 100, length].filter { $0 <= length })
    let variety = seed % 3
    var values: [Float] = (0..<2 * length).map { index in
      let value = Float.random(in: -9...9, using: &random)
      switch variety {
      case 0: return value
      case 1: return random.pick([.nan, 1, 2, .infinity, -.infinity, 0, -0.0, value])
      default: return index % 50 == 0 ? value : random.pick([.nan, -.infinity])
      }
    }
    switch seed / 3 % 4 {
    case 0: values.sort()
    case 1: values.sort { $1 < $0 }
    default: break
    }
    let input = Tensor([2, length], values)
    let reference = try Self.largest(count, of: input, .reference)
    #expect(try Self.largest(count, of: input, .optimized) == reference, "seed \(seed)")
  }

  @Test(arguments: 0..<40)
  func `largest bytes of rows`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let length = random.pick([1, 10, 300, 3000])
    let count = random.pick([0, 1, 3, 100, length].filter { $0 <= length })
    let range: ClosedRange<UInt8> = random.pick([0...255, 120...135, 7...7])
    let bytes = (0..<2 * length).map { _ in UInt8.random(in: range, using: &random) }
    let input =
      seed.isMultiple(of: 2)
      ? Tensor([2, length], bytes) : Tensor([2, length], bytes.map { Int8(bitPattern: $0) })
    let reference = try Self.largest(count, of: input, .reference)
    #expect(try Self.largest(count, of: input, .optimized) == reference, "seed \(seed)")
  }

  /// The bytes of both outputs of `TOPK_V2`.
  private static func largest(
    _ count: Int, of input: Tensor, _ kernels: KernelSet
  ) throws -> [[UInt8]] {
    let wanted = Tensor([], [Int32(count)]).constant
    let node = PrepareContext(
      inputs: [
        PrepareContext.Operand(input.type, bytes: nil, isConstant: false),
        PrepareContext.Operand(wanted.type, bytes: wanted.bytes, isConstant: true),
      ],
      declaredOutputs: [TensorType(input.type.elementType, []), TensorType(.int32, [])],
      rounding: .double)
    let entry = try #require(OperatorCatalog.entry(of: .topKV2))
    let operation = try entry.make(NodeDescription(version: 1, options: nil))
    let prepared = kernels.applied(
      to: try operation.prepare(node), of: node, weights: WeightCache())
    let outputs = prepared.outputs.map { TensorBytes(zeroed: $0.byteCount ?? 0) }
    try prepared.kernel.evaluate(
      TensorFrame(inputs: [input.bytes, wanted.bytes], outputs: outputs, scratch: []))
    return outputs.map { $0.array() }
  }
}
