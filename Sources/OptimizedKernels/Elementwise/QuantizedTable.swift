// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// A function of 8-bit quantized values as a table of all its 256 results, which the reference
/// kernel gives.
final class QuantizedTable: ElementKernel {
  private let table: [UInt8]
  let elementCount: Int
  private let kernels: ByteMicrokernels

  /// The table of what `reference` computes of one 8-bit value; for functions that are defined for
  /// every quantized value.
  ///
  /// The kernel runs once over all of them: its loop is compiled for its arithmetic, which would be
  /// looked up value by value here.
  init?(tabulating reference: any Kernel, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let input = node.optionalInput(0) else { return nil }
    let (values, results) = (TensorBytes(zeroed: 256), TensorBytes(zeroed: 256))
    var span = values.mutableSpan(as: UInt8.self)
    for index in span.indices { span[index] = UInt8(truncatingIfNeeded: index) }
    do throws(KernelError) {
      try reference.evaluate(TensorFrame(inputs: [values], outputs: [results]))
    } catch {
      return nil
    }
    let bytes = results.span(as: UInt8.self)
    table = bytes.indices.map { bytes[$0] }
    elementCount = input.shape.elementCount
    kernels = set.byte
  }

  /// The table that a kernel has already.
  init?<Element>(_ arithmetic: ByteTable<Element>, _ node: PrepareContext, _ set: MicrokernelSet) {
    guard let input = node.optionalInput(0) else { return nil }
    table = unsafe arithmetic.values.withUnsafeBytes { unsafe Array($0) }
    elementCount = input.shape.elementCount
    kernels = set.byte
  }

  /// The function of floats between two conversions; nil where the second does not quantize.
  init?(
    _ function: DequantizedFunction, quantizedBy conversion: QuantizedConversion
  ) {
    guard let table = function.quantized(by: conversion) else { return nil }
    self.table = table
    elementCount = function.elementCount
    kernels = conversion.kernels
  }

  private init(_ table: [UInt8], like other: QuantizedTable) {
    self.table = table
    elementCount = other.elementCount
    kernels = other.kernels
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let first = elements.lowerBound
    unsafe table.withUnsafeBytes { table in
      guard let table = table.baseAddress else { return }
      unsafe kernels.lookUp(
        ByteLookup(
          table: table, input: input + first, output: output + first, count: elements.count))
    }
  }
}

extension QuantizedTable {
  func gating(_ operation: any RowKernel, resultIsLeft: Bool) -> (any ElementKernel)? {
    guard operation.elementSize == 1 else { return nil }
    let quantizedValues = (0..<256).map { UInt8($0) }
    var results = quantizedValues
    unsafe quantizedValues.withUnsafeBytes { quantizedValues in
      unsafe table.withUnsafeBytes { table in
        unsafe results.withUnsafeMutableBytes { results in
          guard let quantizedValues = quantizedValues.baseAddress, let table = table.baseAddress,
            let output = results.baseAddress
          else { return }
          unsafe operation.compute(
            PlainRow(
              left: resultIsLeft ? table : quantizedValues,
              right: resultIsLeft ? quantizedValues : table,
              output: output, count: 256))
        }
      }
    }
    return QuantizedTable(results, like: self)
  }
}
