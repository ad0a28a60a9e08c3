// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `DEQUANTIZE`, then functions of floats: of 8-bit values there are 256 results, which the reference
/// kernels give.
final class DequantizedFunction: ElementKernel, CompositeKernel {
  /// The kernels, one after the other; nil where one of them is not optimized: then results are looked
  /// up.
  private let steps: [any ElementKernel]?
  let parts: [any Kernel]
  /// The result for each byte.
  private let results: [Float]
  let elementCount: Int
  var keepsSize: Bool { false }

  /// The results of `function` for those of `first`, which is such a function or dequantizes; nil where
  /// it is neither, or the function is not one of floats that is defined for each of them.
  init?(_ first: any ElementKernel, followedBy function: PreparedNode) {
    let (operands, firstSteps, firstParts): ([Float], [any ElementKernel]?, [any Kernel])
    if let first = first as? DequantizedFunction {
      (operands, firstSteps, firstParts) = (first.results, first.steps, first.parts)
    } else if let first = first as? QuantizedConversion, let values = first.reals {
      (operands, firstSteps, firstParts) = (values, [first], [first])
    } else {
      return nil
    }
    guard let reference = function.reference as? any FloatElementsKernel else { return nil }
    let next = function.kernel.blocks?.element
    guard
      let results = next.map({ $0.results(of: operands) }) ?? reference.results(of: operands)
    else { return nil }
    self.results = results
    steps = next.flatMap { next in firstSteps.map { $0 + [next] } }
    parts = firstParts + [function.kernel.kernel]
    elementCount = first.elementCount
  }

  /// The same as bytes: what `conversion` makes of each result; nil where it makes floats.
  func quantized(by conversion: QuantizedConversion) -> [UInt8]? {
    conversion.quantizedValues(of: results)
  }

  func compute(
    _ elements: Range<Int>, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    if let steps {
      unsafe steps[0].compute(elements, input, output)
      for step in steps.dropFirst() { unsafe step.compute(elements, output, output) }
      return
    }
    let target = unsafe output.assumingMemoryBound(to: Float.self)
    unsafe results.withUnsafeBufferPointer { results in
      for index in elements {
        let byte = unsafe input.load(fromByteOffset: index, as: UInt8.self)
        unsafe target[index] = results[Int(byte)]
      }
    }
  }
}

/// A reference kernel that makes a float of each float, whatever their number.
private protocol FloatElementsKernel: Kernel {}

/// The loop of a `FloatElementsKernel`.
private protocol FloatElementsLoop: KernelLoop {}

extension UnaryLoop: FloatElementsLoop
where Arithmetic.Input == Float, Arithmetic.Output == Float {}

extension LoopKernel: FloatElementsKernel where Loop: FloatElementsLoop {}

extension FloatElementsKernel {
  /// The results of some operands; nil where one has none.
  fileprivate func results(of operands: [Float]) -> [Float]? {
    let output = TensorBytes(zeroed: operands.count * MemoryLayout<Float>.stride)
    let frame = TensorFrame(inputs: [TensorBytes(copying: operands)], outputs: [output])
    guard (try? evaluate(frame)) != nil else { return nil }
    let results = output.span(as: Float.self)
    return results.indices.map { results[$0] }
  }
}

extension ElementKernel {
  /// The floats that are made of some floats.
  fileprivate func results(of operands: [Float]) -> [Float] {
    var results = operands
    unsafe results.withUnsafeMutableBytes { results in
      guard let address = results.baseAddress else { return }
      unsafe compute(operands.indices, address, address)
    }
    return results
  }
}
