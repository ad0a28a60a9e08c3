// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct TableTests {
  static let float = [TensorType(.float32, [])]

  @Test(arguments: KernelSet.all)
  func `rows are copied or dequantized with their scale`(kernels: KernelSet) throws {
    let lookup = Tensor([2], [1, 0] as [Int32])
    let copied = try evaluate(
      .embeddingLookup, [lookup, Tensor([2, 2], [1, 2, 3, 4] as [Float])], outputs: Self.float,
      kernels: kernels)
    #expect(copied[0].values() == [3, 4, 1, 2] as [Float])
    let scaled = try evaluate(
      .embeddingLookup, [lookup, Tensor([2, 2], [1, -2, 3, 4] as [Int8], scales: [0.5, 2])],
      outputs: Self.float, kernels: kernels)
    #expect(scaled[0].values() == [6, 8, 0.5, -1] as [Float])
    let signed = try evaluate(
      .embeddingLookup, [lookup, Tensor([2, 1], [255, 128] as [UInt8], scale: 1)],
      outputs: Self.float, kernels: kernels)
    #expect(signed[0].values() == [-128, -1] as [Float])
  }

  /// Three quantized values of 4 bits fill a byte and a half; the runtime lets row 1 begin with the
  /// whole byte 1, which holds 3 and 4.
  @Test func `rows of packed codes begin at whole bytes`() throws {
    let type = TensorType(.int4, [2, 3], quantization: Quantization(scale: 0.5))
    let table = Tensor(type, TensorBytes(copying: [0x21, 0x43, 0xF5] as [UInt8]), isConstant: true)
    let rows = try evaluate(
      .embeddingLookup, [Tensor([2], [0, 1] as [Int32]), table], outputs: Self.float)
    #expect(rows[0].values() == [0.5, 1, 1.5, 1.5, 2, 2.5] as [Float])
  }

  @Test(arguments: [-1, 2, .min, .max] as [Int32])
  func `an index without a row is refused`(index: Int32) {
    #expect(throws: KernelError.self) {
      try evaluate(
        .embeddingLookup, [Tensor([1], [index]), Tensor([2, 1], [1, 2] as [Float])],
        outputs: Self.float)
    }
    #expect(throws: KernelError.self) {
      try Self.sparse(.sum, ids: [index], locations: [0, 0], shape: [1, 1], weights: [1])
    }
  }

  @Test func `scales that no row has are refused`() {
    for table in [
      Tensor([2, 2], [1, 2, 3, 4] as [Int8], scale: 1, zeroPoint: 3),
      Tensor([2, 2], [1, 2, 3, 4] as [Int8], scales: [1, 2], axis: 1),
      Tensor([2, 2], [1, 2, 3, 4] as [Int8]),
    ] {
      #expect(throws: KernelError.self) {
        try evaluate(.embeddingLookup, [Tensor([1], [0] as [Int32]), table], outputs: Self.float)
      }
    }
  }

  static func sparse(
    _ combiner: CombinerType, ids: [Int32], locations: [Int32], shape: [Int32], weights: [Float],
    kernels: KernelSet = .reference
  ) throws -> [Float] {
    var options = EmbeddingLookupSparseOptions()
    options.combiner = combiner
    return try evaluate(
      .embeddingLookupSparse, options: options,
      [
        Tensor([ids.count], ids), Tensor(try Shape([ids.count, shape.count]), locations),
        Tensor([shape.count], shape).constant, Tensor([weights.count], weights),
        Tensor([2, 2], [1, 2, 3, 4] as [Float]),
      ], outputs: float, kernels: kernels)[0].values()
  }

  /// Row 0: 3·(1, 2) + 4·(3, 4) = (15, 22), divided by 1, 7 or 5; nothing belongs to row 1.
  @Test(arguments: KernelSet.all)
  func `weighted sums of rows`(kernels: KernelSet) throws {
    for (combiner, divisor) in [(.sum, 1), (.mean, 7), (.sqrtN, 5)] as [(CombinerType, Float)] {
      let sums = try Self.sparse(
        combiner, ids: [0, 1], locations: [0, 0, 0, 1], shape: [2, 2], weights: [3, 4],
        kernels: kernels)
      #expect(sums == [15 / divisor, 22 / divisor, 0, 0])
    }
  }

  @Test(arguments: [[2, 0], [-1, 0], [.max, 0], [.min, 0]] as [[Int32]])
  func `a location outside of the matrix is refused`(location: [Int32]) {
    #expect(throws: KernelError.self) {
      try Self.sparse(.mean, ids: [0], locations: location, shape: [2, 2], weights: [1])
    }
  }

  @Test(arguments: KernelSet.all)
  func `rows are found by key`(kernels: KernelSet) throws {
    let outputs = try evaluate(
      .hashtableLookup,
      [
        Tensor([3], [7, 5, -1] as [Int32]), Tensor([3], [-1, 3, 7] as [Int32]),
        Tensor([3, 2], [1, 2, 3, 4, 5, 6] as [Int16]),
      ], outputs: [TensorType(.int16, []), TensorType(.uint8, [])], kernels: kernels)
    #expect(outputs[0].values() == [5, 6, 0, 0, 1, 2] as [Int16])
    #expect(outputs[1].values() == [1, 0, 1] as [UInt8])
    #expect(throws: KernelError.self) {
      try evaluate(
        .hashtableLookup,
        [
          Tensor([1], [7] as [Int32]), Tensor([0], [] as [Int32]), Tensor([0], [] as [Int16]),
        ], outputs: [TensorType(.int16, []), TensorType(.uint8, [])])
    }
  }

  /// Made with TensorFlow's `tf.fingerprint(…, "farmhash64")` for the bytes (7i + n) mod 256.
  @Test(
    arguments: [
      (0, 0x9ae1_6a3b_2f90_404f), (1, 0x47a2_4c13_b17e_583e), (3, 0x40b4_412e_33ee_fd64),
      (4, 0xc107_ef4c_fd78_de68), (7, 0xef29_6bc3_f278_1108), (8, 0xaf3c_2fea_ecfb_8228),
      (16, 0x8935_c33c_50c9_19d8), (17, 0xeb5e_445e_8ed8_468f), (32, 0x3767_9234_ee53_fb79),
      (33, 0xace0_67ce_ef8b_7acd), (64, 0x99ce_f40b_2c6f_98ec), (65, 0x062c_410b_763b_ef3d),
      (128, 0xdbce_ebb7_b5db_6dc9), (129, 0x4651_ad82_f97e_3ac7), (200, 0x02cf_7f59_90a1_b14f),
    ] as [(Int, UInt64)])
  func `fingerprints of all lengths`(count: Int, expected: UInt64) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + count) }
    #expect(Fingerprint64.of(bytes.span) == expected)
  }

  @Test func `projections of a type that is not set, or with too many bits, are refused`() {
    var options = LSHProjectionOptions()
    let items = Tensor([1], [1] as [Int32])
    let declared = [TensorType(.int32, [])]
    #expect(throws: KernelError.self) {
      try evaluate(
        .lshProjection, options: options, [Tensor([1, 1], [1] as [Float]), items],
        outputs: declared)
    }
    options.type = .sparse
    #expect(throws: KernelError.self) {
      try evaluate(
        .lshProjection, options: options,
        [Tensor([1, 33], [Float](repeating: 1, count: 33)), items], outputs: declared)
    }
  }
}
