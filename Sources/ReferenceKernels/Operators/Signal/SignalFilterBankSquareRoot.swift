// SPDX-License-Identifier: Apache-2.0

package import Tensors

extension CatalogEntry {
  static let signalFilterBankSquareRoot = CatalogEntry(
    custom: "SignalFilterBankSquareRoot", chapter: .signal,
    formula: "y[c] = ⌊round(√x[c]) / 2^b⌋",
    variants: "u64", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in SignalFilterBankSquareRoot() }
}

/// `SignalFilterBankSquareRoot`: the square roots of energies, with their scaling undone.
///
/// - Input 0: the energies, uint64, of one axis.
/// - Input 1: b, an int32 scalar: the bits that `SignalFftAutoScale` gives.
/// - Output: uint32, of input 0's shape.
///
/// Roots that do not fit half the bits of their square are rounded down: 2¹⁶ − 1 for the last ones
/// below 2³², 2³² − 1 for the last ones of all. TFLite Micro: `signal/src/square_root_64.cc`.
struct SignalFilterBankSquareRoot: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let input = try node.signalVector(0, .uint64)
    let bits = try node.input(1)
    try bits.expect(.int32, .input(1))
    guard bits.shape.rank == 0 else { throw .rank(bits.shape.rank, wanted: "0", .input(1)) }
    return Prepared(
      try node.signalOutput(.uint32, input.shape), LoopKernel(SignalFilterBankSquareRootLoop()))
  }
}

/// The loop of `SignalFilterBankSquareRoot`.
package struct SignalFilterBankSquareRootLoop: SteppedLoop {
  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: UInt64.self)
    let bits = frame.input(1, as: Int32.self)[0]
    guard 0...31 ~= bits else { throw .invalid("\(bits) bits, wanted 0 to 31", .input(1)) }
    var output = frame.output(0, as: UInt32.self)
    for index in output.indices {
      steps.about(index)
      let root = steps.note(
        "root", "rounded to the nearest integer", Self.root(steps.read(input, index)))
      output[index] = steps.note("scaled back", "by 2^\(bits), rounded down", root >> bits)
    }
  }

  /// The square root, rounded to the nearest integer, digit by binary digit.
  private static func root(_ number: UInt64) -> UInt32 {
    var (rest, root) = (number, UInt64(0))
    var digit: UInt64 = 1 << 62
    while digit > rest { digit >>= 2 }
    while digit > 0 {
      let trial = root + digit
      root >>= 1
      if rest >= trial {
        rest -= trial
        root += digit
      }
      digit >>= 2
    }
    let largest = UInt64(number >> 32 == 0 ? UInt32(UInt16.max) : UInt32.max)
    return UInt32(truncatingIfNeeded: rest > root && root < largest ? root + 1 : root)
  }
}
