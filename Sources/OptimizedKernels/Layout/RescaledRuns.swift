// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// `CONCATENATION` of uint8 quantized values of several scales: runs of quantized values through a
/// table, or copied.
final class RescaledRuns: Kernel {
  private let joined: JoinedAxis
  private let tables: [[UInt8]?]
  private let kernels: ByteMicrokernels

  /// The runs of `kernel`.
  init(_ kernel: RescalingConcatenationKernel, _ set: MicrokernelSet) {
    joined = kernel.joined
    tables = kernel.tables.map { $0?.values }
    kernels = set.byte
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let row = joined.runs.reduce(0, +)
    guard row > 0 else { return }
    var target = unsafe frame.outputAddress(0)
    for (position, run) in joined.runs.enumerated() {
      guard let input = unsafe frame.inputAddress(position), run > 0 else { continue }
      for outer in 0..<joined.outerCount {
        unsafe copy(input + outer * run, to: target + outer * row, count: run, tables[position])
      }
      unsafe target += run
    }
  }

  private func copy(
    _ input: UnsafeRawPointer, to output: UnsafeMutableRawPointer, count: Int, _ table: [UInt8]?
  ) {
    guard let table else {
      unsafe output.copyMemory(from: input, byteCount: count)
      return
    }
    unsafe table.withUnsafeBytes { table in
      guard let table = table.baseAddress else { return }
      unsafe kernels.lookUp(
        ByteLookup(table: table, input: input, output: output, count: count))
    }
  }
}
