// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// The audio front end of TensorFlow Lite Micro.
@Suite struct FrontEndTests {
  static func run(
    _ name: String, _ options: [String: FlexNumber] = [:], _ inputs: [Tensor],
    _ outputs: [ElementType], kernels: KernelSet = .reference
  ) throws -> [Tensor] {
    try evaluate(
      custom: name, options: flexMap(options), inputs, outputs: outputs.map { TensorType($0, []) },
      kernels: kernels)
  }

  @Test(arguments: KernelSet.all)
  func `windowed samples are shifted and clamped`(kernels: KernelSet) throws {
    let output = try Self.run(
      "SignalWindow", ["shift": .int(12)],
      [
        Tensor([2, 3], [100, -100, 32767, -7, 1, -32768] as [Int16]),
        Tensor([3], [4096, 2048, 32767] as [Int16]),
      ], [.int16], kernels: kernels)
    #expect(output[0].type.shape == [2, 3])
    #expect(output[0].values() == [100, -50, 32767, -7, 0, -32768] as [Int16])
  }

  @Test(arguments: KernelSet.all)
  func `samples are scaled up to 15 bits`(kernels: KernelSet) throws {
    for (samples, bits) in [
      ([1, -3, 100], 8), ([0, 0, 0], 0), ([-1, 0, 0], 14), ([3, 1, -32768], 0),
    ]
      as [([Int16], Int32)]
    {
      let outputs = try Self.run(
        "SignalFftAutoScale", [:], [Tensor([3], samples)], [.int16, .int32], kernels: kernels)
      #expect(outputs[0].values() == samples.map { $0 << bits })
      #expect(outputs[1].values() == [bits])
      #expect(outputs[1].type.shape == .scalar)
    }
  }

  /// 2¹⁵ does not fit 16 bits: a later sample counts as the largest, as in the runtime.
  @Test(arguments: KernelSet.all)
  func `a least sample gives way to a later one`(kernels: KernelSet) throws {
    let outputs = try Self.run(
      "SignalFftAutoScale", [:], [Tensor([3], [-32768, 3, 1] as [Int16])], [.int16, .int32],
      kernels: kernels)
    #expect(outputs[0].values() == [0, 24576, 8192] as [Int16])
    #expect(outputs[1].values() == [13] as [Int32])
  }

  /// Of samples that are all alike, only the sum is left: 3 · 8, or that by 8 for integers.
  @Test(arguments: KernelSet.all)
  func `a constant signal has its energy at frequency 0`(kernels: KernelSet) throws {
    let floats = try Self.run(
      "SignalRfft", ["fft_length": .int(8)], [Tensor([8], [Float](repeating: 3, count: 8))],
      [.float32], kernels: kernels)
    #expect(floats[0].values() == [24, 0, 0, 0, 0, 0, 0, 0, 0, 0] as [Float])
    let integers = try Self.run(
      "SignalRfft", ["fft_length": .int(8)], [Tensor([8], [Int32](repeating: 1 << 20, count: 8))],
      [.int32], kernels: kernels)
    #expect(integers[0].type.shape == [10])
    let values = integers[0].values(as: Int32.self)
    #expect(abs(Int(values[0]) - 1 << 20) < 8)
    #expect(values.dropFirst().allSatisfy { abs($0) < 8 })
  }

  @Test(arguments: [2, 7, 14, 1 << 20, 0, -8] as [Int64])
  func `lengths of transforms without stages for them are refused`(length: Int64) {
    #expect(throws: KernelError.self) {
      try Self.run(
        "SignalRfft", ["fft_length": .int(length)], [Tensor([2], [1, 2] as [Int16])], [.int16])
    }
  }

  @Test func `frames longer than the transform are refused`() {
    #expect(throws: KernelError.self) {
      try Self.run(
        "SignalRfft", ["fft_length": .int(4)], [Tensor([5], [Int16](repeating: 1, count: 5))],
        [.int16])
    }
  }

  /// 2³¹ does not fit an int32.
  @Test(arguments: KernelSet.all)
  func `energies are squares, and 0 outside the range`(kernels: KernelSet) throws {
    let output = try Self.run(
      "SignalEnergy", ["start_index": .int(1), "end_index": .int(3)],
      [Tensor([8], [5, 5, 3, -4, -32768, -32768, 9, 9] as [Int16])], [.uint32], kernels: kernels)
    #expect(output[0].values() == [0, 25, 1 << 31, 0] as [UInt32])
  }

  private static func bank(
    _ energies: [UInt32], frequencies: [Int16], places: [Int16], widths: [Int16],
    kernels: KernelSet = .reference
  ) throws -> [UInt64] {
    try run(
      "SignalFilterBank", ["num_channels": .int(2)],
      [
        Tensor([energies.count], energies), Tensor([4], [1, 2, 3, 4] as [Int16]).constant,
        Tensor([4], [10, 20, 30, -40] as [Int16]).constant, Tensor([3], frequencies).constant,
        Tensor([3], places).constant, Tensor([3], widths).constant,
      ], [.uint64], kernels: kernels)[0].values()
  }

  /// Channel 0: 10 · 7 + (2 · 8 + 3 · 9); channel 1: 20 · 8 + 30 · 9 + 4 · 10.
  @Test(arguments: KernelSet.all)
  func `a channel has the falling side of one band and the rising side of the next`(
    kernels: KernelSet
  ) throws {
    let sums = try Self.bank(
      [7, 8, 9, 10], frequencies: [0, 1, 3], places: [0, 1, 3], widths: [1, 2, 1], kernels: kernels)
    #expect(sums == [113, 470])
  }

  @Test func `bands beyond energies or weights are refused`() {
    for (frequencies, places, widths) in [
      ([0, 1, 4], [0, 1, 3], [1, 2, 1]), ([0, -1, 3], [0, 1, 3], [1, 2, 1]),
      ([0, 1, 0], [0, 1, 3], [1, 2, 2]), ([0, 1, 3], [0, 1, -3], [1, 2, 1]),
      ([0, 1, 3], [0, 1, 3], [1, 32767, 1]),
    ] as [([Int16], [Int16], [Int16])] {
      #expect(throws: KernelError.self) {
        try Self.bank(
          [7, 8, 9, 10], frequencies: frequencies, places: places, widths: widths)
      }
    }
  }

  @Test(arguments: KernelSet.all)
  func `roots are rounded, then shifted`(kernels: KernelSet) throws {
    let roots = try Self.run(
      "SignalFilterBankSquareRoot", [:],
      [
        Tensor([6], [0, 6, 7, 1 << 40, (1 << 32) - 1, .max] as [UInt64]),
        Tensor([], [0] as [Int32]),
      ], [.uint32], kernels: kernels)
    #expect(roots[0].values() == [0, 2, 3, 1 << 20, 65535, .max] as [UInt32])
  }

  @Test(arguments: [-1, 32, .min] as [Int32])
  func `shifts beyond 32 bits are refused`(bits: Int32) {
    #expect(throws: KernelError.self) {
      try Self.run(
        "SignalFilterBankSquareRoot", [:],
        [Tensor([1], [4] as [UInt64]), Tensor([], [bits])], [.uint32])
    }
    #expect(throws: KernelError.self) {
      try Self.run(
        "SignalWindow", ["shift": .int(Int64(bits))],
        [Tensor([1], [4] as [Int16]), Tensor([1], [4] as [Int16])], [.int16])
    }
  }

  /// ln 2¹⁰ is 6.93.
  @Test(arguments: KernelSet.all)
  func `logarithms have the output's scale`(kernels: KernelSet) throws {
    let logarithms = try Self.run(
      "SignalFilterBankLog", ["input_correction_bits": .int(2), "output_scale": .int(100)],
      [Tensor([3], [0, 256, 1 << 30] as [UInt32])], [.int16], kernels: kernels)
    #expect(logarithms[0].values() == [0, 693, 0] as [Int16])
  }

  /// A gain of 2¹² leaves a signal of 5 as 5 − 1, of 1 as ¼, with 6 bits after the point.
  @Test(arguments: KernelSet.all)
  func `the gain of the noise is applied and shrunk`(kernels: KernelSet) throws {
    let output = try Self.run(
      "SignalPCAN", ["snr_shift": .int(0)],
      [
        Tensor([3], [5, 1, 0] as [UInt32]), Tensor([3], [0, 1, 2] as [UInt32]),
        Tensor([3], [4096, 4096, 1] as [Int16]),
      ], [.uint32], kernels: kernels)
    #expect(output[0].values() == [256, 16, 0] as [UInt32])
  }

  @Test func `a noise beyond the table of gains is refused`() {
    #expect(throws: KernelError.self) {
      try Self.run(
        "SignalPCAN", ["snr_shift": .int(0)],
        [
          Tensor([1], [5] as [UInt32]), Tensor([1], [3] as [UInt32]),
          Tensor([4], [4096, 4096, 1, 1] as [Int16]),
        ], [.uint32])
    }
  }

  @Test(arguments: [
    "SignalWindow", "SignalRfft", "SignalEnergy", "SignalFilterBank", "SignalPCAN",
    "SignalFilterBankLog", "SignalFilterBankSpectralSubtraction",
  ])
  func `missing options are refused`(name: String) throws {
    let entry = try #require(OperatorCatalog.customByName[name])
    #expect(throws: KernelError.self) {
      try entry.make(NodeDescription(customOptions: flexMap([:])))
    }
  }
}
