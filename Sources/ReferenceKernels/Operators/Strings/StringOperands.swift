// SPDX-License-Identifier: Apache-2.0

import Tensors

extension PrepareContext {
  /// The strings of an input, as bytes.
  ///
  /// - Throws: `KernelError` where the input is missing, no string tensor or damaged, and while its
  ///   values are not known (`.valueNeeded`).
  func strings(_ position: Int) throws(KernelError) -> [[UInt8]] {
    try input(position).expect(.string, .input(position))
    guard let bytes = inputs[position]?.bytes else {
      throw KernelError(.valueNeeded(position), "value must be known first", .input(position))
    }
    let characters = bytes.span(as: UInt8.self)
    let ranges: [Range<Int>]
    do throws(StringTensor.Malformed) {
      ranges = try StringTensor.ranges(in: characters)
    } catch {
      throw .invalid(error.description, .input(position))
    }
    return ranges.map { range in range.map { characters[$0] } }
  }
}

extension [UInt8] {
  /// The bytes of a string tensor of parts of texts.
  ///
  /// - Throws: `KernelError` where there are too many for one.
  init(stringTensor strings: [ArraySlice<UInt8>]) throws(KernelError) {
    self = []
    do throws(StringTensor.Malformed) {
      for number in try StringTensor.header(lengths: strings.map(\.count)) {
        for shift in stride(from: Int32(0), to: 32, by: 8) {
          append(UInt8(truncatingIfNeeded: number >> shift))
        }
      }
    } catch {
      throw .invalid(error.description, .output(0))
    }
    for string in strings { self += string }
  }

  /// The bytes of a string tensor.
  ///
  /// - Throws: `KernelError` where there are too many for one.
  init(stringTensor strings: [[UInt8]]) throws(KernelError) {
    do throws(StringTensor.Malformed) {
      self = try StringTensor.bytes(of: strings)
    } catch {
      throw .invalid(error.description, .output(0))
    }
  }
}
