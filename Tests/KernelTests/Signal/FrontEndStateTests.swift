// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// What operators of the audio front end keep from one invocation to the next.
@Suite struct FrontEndStateTests {
  /// The outputs of a node that is invoked once for each of `inputs`.
  static func invocations(
    of name: String, _ options: [String: FlexNumber], _ inputs: [Tensor], _ outputs: [ElementType],
    kernels: KernelSet = .reference
  ) throws -> [[Tensor]] {
    let entry = try #require(OperatorCatalog.customByName[name])
    let node = PrepareContext(
      inputs: [PrepareContext.Operand(try #require(inputs.first).type)],
      declaredOutputs: outputs.map { TensorType($0, []) })
    let made = try entry.make(NodeDescription(customOptions: flexMap(options)))
    let prepared = kernels.applied(to: try made.prepare(node), of: node, weights: WeightCache())
    #expect(!prepared.isPure)
    return try inputs.map { input in
      let results = prepared.outputs.map {
        Tensor($0, TensorBytes(zeroed: $0.byteCount ?? 0), isConstant: false)
      }
      try prepared.kernel.evaluate(
        TensorFrame(inputs: [input.bytes], outputs: results.map(\.bytes), scratch: []))
      return results
    }
  }

  private static let subtraction: [String: FlexNumber] = [
    "num_channels": .int(2), "smoothing": .int(1), "one_minus_smoothing": .int(3),
    "alternate_smoothing": .int(2), "alternate_one_minus_smoothing": .int(2),
    "min_signal_remaining": .int(1), "smoothing_bits": .int(1),
    "spectral_subtraction_bits": .int(2), "clamping": .bool(false),
  ]

  /// Channel 0: noise (2 · 80 + 0) / 4, then (2 · 8 + 3 · 40) / 4; channel 1 takes halves.
  @Test(arguments: KernelSet.all)
  func `the noise estimate goes on`(kernels: KernelSet) throws {
    let runs = try Self.invocations(
      of: "SignalFilterBankSpectralSubtraction", Self.subtraction,
      [Tensor([2], [80, 80] as [UInt32]), Tensor([2], [8, 8] as [UInt32])], [.uint32, .uint32],
      kernels: kernels)
    #expect(runs[0][1].values() == [40, 80] as [UInt32])
    #expect(runs[0][0].values() == [60, 40] as [UInt32])
    #expect(runs[1][1].values() == [34, 48] as [UInt32])
    #expect(runs[1][0].values() == [2, 2] as [UInt32])
  }

  @Test func `channels other than the options' are refused`() {
    #expect(throws: KernelError.self) {
      try Self.invocations(
        of: "SignalFilterBankSpectralSubtraction", Self.subtraction,
        [Tensor([3], [80, 80, 1] as [UInt32])], [.uint32, .uint32])
    }
  }

  @Test(arguments: KernelSet.all)
  func `delayed samples come in a later invocation`(kernels: KernelSet) throws {
    let runs = try Self.invocations(
      of: "SignalDelay", ["delay_length": .int(3)],
      [
        Tensor([1, 2], [1, 2] as [Int16]), Tensor([1, 2], [3, 4] as [Int16]),
        Tensor([1, 2], [5, 6] as [Int16]),
      ], [.int16],
      kernels: kernels)
    #expect(runs.map { $0[0].values() } == [[0, 0], [0, 1], [2, 3]] as [[Int16]])
  }

  @Test(arguments: [false, true])
  func `frames overlap, and wait for samples or begin with zeros`(isPrefilled: Bool) throws {
    let runs = try Self.invocations(
      of: "SignalFramer",
      ["frame_size": .int(3), "frame_step": .int(2), "prefill": .bool(isPrefilled)],
      [
        Tensor([2], [1, 2] as [Int16]), Tensor([2], [3, 4] as [Int16]),
        Tensor([2], [5, 6] as [Int16]),
      ], [.int16, .bool])
    #expect(runs[0][0].type.shape == [1, 3])
    #expect(
      runs.map { $0[0].values() }
        == (isPrefilled
          ? [[0, 1, 2], [2, 3, 4], [4, 5, 6]] : [[0, 0, 0], [1, 2, 3], [3, 4, 5]] as [[Int16]]))
    #expect(runs.map { $0[1].values(as: UInt8.self) } == [[isPrefilled ? 1 : 0], [1], [1]])
  }

  /// The first frame is its own left context; every second invocation has a stack.
  @Test(arguments: KernelSet.all)
  func `frames are stacked every few invocations`(kernels: KernelSet) throws {
    let runs = try Self.invocations(
      of: "SignalStacker",
      [
        "num_channels": .int(1), "stacker_left_context": .int(1), "stacker_right_context": .int(1),
        "stacker_step": .int(2),
      ], (1...4).map { Tensor([1], [$0] as [Int16]) }, [.int16, .bool], kernels: kernels)
    #expect(
      runs.map { $0[0].values() } == [[0, 0, 0], [1, 1, 2], [1, 1, 2], [2, 3, 4]] as [[Int16]])
    #expect(runs.map { $0[1].values(as: UInt8.self) } == [[0], [1], [0], [1]])
  }

  @Test(arguments: KernelSet.all)
  func `overlapping frames are added and clamped`(kernels: KernelSet) throws {
    let runs = try Self.invocations(
      of: "SignalOverlapAdd", ["frame_step": .int(1)],
      [
        Tensor([2, 2], [1, 2, 3, 30000] as [Int16]), Tensor([2, 2], [5000, 1, 1, 1] as [Int16]),
      ], [.int16],
      kernels: kernels)
    #expect(runs.map { $0[0].values() } == [[1, 5], [32767, 2]] as [[Int16]])
  }

  @Test(
    arguments: [
      ("SignalDelay", ["delay_length": .int(-1)]), ("SignalDelay", ["delay_length": .int(1 << 40)]),
      ("SignalFramer", ["frame_size": .int(2), "frame_step": .int(4)]),
      ("SignalFramer", ["frame_size": .int(4), "frame_step": .int(3)]),
      ("SignalFramer", ["frame_size": .int(4), "frame_step": .int(0)]),
      ("SignalStacker", Self.stack(left: 1, right: 0, step: 3)),
      ("SignalStacker", Self.stack(left: -1, right: 0, step: 1)),
      ("SignalStacker", Self.stack(left: 1 << 20, right: 1 << 20, step: 1, channels: 3)),
      ("SignalOverlapAdd", ["frame_step": .int(5)]), ("SignalOverlapAdd", ["frame_step": .int(0)]),
    ] as [(String, [String: FlexNumber])])
  func `steps and lengths that frames do not have are refused`(
    name: String, options: [String: FlexNumber]
  ) {
    #expect(throws: KernelError.self) {
      let input = Tensor(name == "SignalStacker" ? [4] : [1, 4], [1, 2, 3, 4] as [Int16])
      let isFramed = name == "SignalFramer" || name == "SignalStacker"
      return try Self.invocations(
        of: name, options, [input], isFramed ? [.int16, .bool] : [.int16])
    }
  }

  private static func stack(
    left: Int64, right: Int64, step: Int64, channels: Int64 = 4
  ) -> [String: FlexNumber] {
    [
      "num_channels": .int(channels), "stacker_left_context": .int(left),
      "stacker_right_context": .int(right), "stacker_step": .int(step),
    ]
  }

  /// The spectrum of 8, 0, 0, 0 is 8 everywhere.
  @Test(arguments: KernelSet.all)
  func `a spectrum becomes samples again`(kernels: KernelSet) throws {
    let samples = try FrontEndTests.run(
      "SignalIrfft", ["fft_length": .int(4)],
      [Tensor([1, 6], [8, 0, 8, 0, 8, 0] as [Float])], [.float32], kernels: kernels)
    #expect(samples[0].type.shape == [1, 4])
    #expect(samples[0].values() == [8, 0, 0, 0] as [Float])
    #expect(throws: KernelError.self) {
      try FrontEndTests.run(
        "SignalIrfft", ["fft_length": .int(4)], [Tensor([4], [8, 0, 8, 0] as [Float])], [.float32])
    }
  }
}
