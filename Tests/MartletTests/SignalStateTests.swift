// SPDX-License-Identifier: Apache-2.0

import Martlet
import OptimizedKernels
import ResourceLimits
import TestSupport
import Testing

/// What the audio front end's nodes keep, as interpreters see it.
@Suite struct SignalStateTests {
  private static let model = "SignalFilterBankSpectralSubtraction/u32_published"

  /// The estimate of the noise after each of `count` invocations.
  private static func estimates(
    _ interpreter: Interpreter, _ count: Int
  ) throws -> [[UInt32]] {
    try (0..<count).map { _ in
      try interpreter.setInput(0, [UInt32](repeating: 50000, count: 40))
      try interpreter.invoke()
      return try interpreter.output(1, as: UInt32.self)
    }
  }

  @Test(arguments: [KernelSet.optimized, .reference])
  func `interpreters of one model have states of their own`(kernels: KernelSet) throws {
    var options = Interpreter.Options()
    options.kernels = kernels
    let model = try Goldens.model(Self.model)
    let first = try Self.estimates(Interpreter(model, options: options), 3)
    #expect(Set(first).count == 3)
    let second = try Interpreter(model, options: options)
    let third = try Interpreter(model, options: options)
    for expected in first {
      #expect(try Self.estimates(second, 1) == [expected])
      #expect(try Self.estimates(third, 1) == [expected])
    }
  }

  /// A transform of 2048 numbers takes 8 KB for them and 6 KB for its factors.
  @Test(arguments: [(10_000, true), (20_000, false)])
  func `what kernels keep counts as memory`(limit: Int, isRefused: Bool) throws {
    var options = Interpreter.Options()
    options.limits = Limits(arenaByteCount: limit)
    let interpreter = try Interpreter(
      Goldens.model("SignalRfft/i16_length_2048"), options: options)
    let error: InferenceError?
    do {
      try interpreter.prepare()
      error = nil
    } catch let refusal {
      error = refusal
    }
    if case .memoryLimit = error?.reason {
      #expect(isRefused)
    } else {
      #expect(error == nil && !isRefused)
    }
  }
}
