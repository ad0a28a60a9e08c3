// SPDX-License-Identifier: Apache-2.0

import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// `AudioSpectrogram`, `Mfcc` and `NumericVerify`.
@Suite struct SoundTests {
  static let float = TensorType(.float32, [])

  static func spectrogram(
    _ samples: [Float], window: Int64, stride: Int64 = 4, squared: Bool = true,
    kernels: KernelSet = .reference
  ) throws -> Tensor {
    let options = flexMap([
      "window_size": .int(window), "stride": .int(stride), "magnitude_squared": .bool(squared),
    ])
    return try evaluate(
      custom: "AudioSpectrogram", options: options, [Tensor([samples.count, 1], samples)],
      outputs: [float], kernels: kernels)[0]
  }

  /// Weights 0, ½, 1, ½: X₀ = 2, X₁ = −½i − 1 + ½i, X₂ = −½ + 1 − ½.
  @Test(arguments: KernelSet.all)
  func `a constant tone has the spectrum of the window`(kernels: KernelSet) throws {
    let squares = try Self.spectrogram([1, 1, 1, 1, 2, 2, 2, 2, 2], window: 4, kernels: kernels)
    #expect(squares.type.shape == [1, 2, 3])
    for (value, wanted) in zip(squares.values(as: Float.self), [4, 1, 0, 16, 4, 0]) {
      #expect(abs(value - Float(wanted)) < 1e-6)
    }
    let roots = try Self.spectrogram(
      [2, 2, 2, 2], window: 4, squared: false, kernels: kernels)
    for (value, wanted) in zip(roots.values(as: Float.self), [4, 2, 0]) {
      #expect(abs(value - Float(wanted)) < 1e-6)
    }
  }

  @Test func `sound shorter than a window has none`() throws {
    #expect(try Self.spectrogram([1, 2], window: 1 << 30).type.shape == [1, 0, 536_870_913])
  }

  @Test(arguments: [(1, 4), (-4, 4), (4, 0), (4, .min), (.max, 1)] as [(Int64, Int64)])
  func `windows and strides out of range are refused`(window: Int64, stride: Int64) {
    #expect(throws: KernelError.self) {
      try Self.spectrogram([1, 2, 3, 4], window: window, stride: stride)
    }
  }

  static func mfcc(
    _ changes: [String: FlexNumber], rate: Int32 = 8000, kernels: KernelSet = .reference
  ) throws -> [Float] {
    let settings: [String: FlexNumber] = [
      "upper_frequency_limit": .int(4000), "lower_frequency_limit": .int(0),
      "filterbank_channel_count": .int(1), "dct_coefficient_count": .int(1),
    ]
    let spectrum = Tensor([1, 1, 3], [4, 9, 0] as [Float])
    return try evaluate(
      custom: "Mfcc", options: flexMap(settings.merging(changes) { $1 }),
      [spectrum, Tensor([1], [rate])], outputs: [float], kernels: kernels)[0].values()
  }

  /// Frequencies 0, 2000 and 4000 Hz: mel(4000) = 2146.1, so the only center is at 1073.0.
  ///
  /// The
  /// middle frequency, at mel 1521.4, counts (2146.1 − 1521.4) / 1073.0 = 0.5822 of √9 towards
  /// the filter: y = √2 · ln 1.7465.
  @Test(arguments: KernelSet.all)
  func `a filter weighs by distance in pitch`(kernels: KernelSet) throws {
    let result = try Self.mfcc([:], kernels: kernels)
    #expect(result.count == 1)
    #expect(abs(result[0] - 0.7886) < 2e-3)
  }

  @Test(arguments: KernelSet.all)
  func `a limit beyond the spectrum gives zero`(kernels: KernelSet) throws {
    #expect(try Self.mfcc(["upper_frequency_limit": .int(7000)], kernels: kernels) == [0])
  }

  @Test func `filters that cannot be are refused`() {
    let changes: [[String: FlexNumber]] = [
      ["filterbank_channel_count": .int(0)], ["filterbank_channel_count": .int(.max)],
      ["dct_coefficient_count": .int(2)], ["dct_coefficient_count": .int(-1)],
      ["lower_frequency_limit": .int(-5)], ["lower_frequency_limit": .int(4000)],
    ]
    for change in changes {
      #expect(throws: KernelError.self) { try Self.mfcc(change) }
    }
    #expect(throws: KernelError.self) { try Self.mfcc([:], rate: 0) }
  }

  static func verify(
    tolerance: Double, strict: Bool, kernels: KernelSet = .reference
  ) throws -> [Float] {
    try evaluate(
      custom: "NumericVerify",
      options: flexMap(["tolerance": .float(tolerance), "log_if_failed": .bool(strict)]),
      [
        Tensor([2], [3, -1] as [Int8], scale: 0.5, zeroPoint: -1),
        Tensor([2], [1.5, 0.25] as [Float]),
      ], outputs: [float], kernels: kernels)[0].values()
  }

  /// 0.5 · (3 + 1) − 1.5 and 0.5 · (−1 + 1) − 0.25; a tolerance of 0.9 allows 0.45.
  @Test(arguments: KernelSet.all)
  func `differences beyond the tolerance are errors if so wished`(kernels: KernelSet) throws {
    #expect(try Self.verify(tolerance: 0.9, strict: false, kernels: kernels) == [0.5, -0.25])
    #expect(try Self.verify(tolerance: 1, strict: true, kernels: kernels) == [0.5, -0.25])
    #expect(throws: KernelError.self) {
      try Self.verify(tolerance: 0.9, strict: true, kernels: kernels)
    }
  }
}
