// SPDX-License-Identifier: Apache-2.0

import Derivations
import ModelFormat
import ReferenceKernels
import Tensors

extension LiveNode {
  /// How the output element at a flat index is computed, as text for a page: a line for each
  /// product, one for the bias and one for each step, with tabs between its parts.
  ///
  ///     term ⇥ flat index of the input ⇥ flat index of the weight ⇥ product
  ///     bias ⇥ flat index ⇥ value
  ///     step ⇥ name ⇥ text ⇥ value
  ///     error ⇥ text
  ///
  /// There are no lines for kernels that cannot tell.
  package static func derivation(of element: Int, in record: [UInt8]) -> [UInt8] {
    do throws(KernelError) {
      guard let derivation = try LiveNode(record: record).derivation(of: element) else { return [] }
      return Array(derivation.lines.utf8)
    } catch {
      return Array("error\t\(error.description)\n".utf8)
    }
  }

  /// How an element of the first output is computed; nil where there is no such element, and for
  /// kernels that cannot tell.
  ///
  /// - Throws: `KernelError` as the operator does.
  func derivation(of element: Int) throws(KernelError) -> NodeDerivation? {
    let (kernel, outputs) = try prepareAndEvaluate()
    guard let output = outputs.first, 0..<output.type.shape.elementCount ~= element else {
      return nil
    }
    return try Self.derivation(
      of: OutputLocation(position: 0, flat: element), in: evaluated(outputs), by: kernel)
  }

  private func evaluated(_ outputs: [Tensor]) -> EvaluatedNode {
    func evaluated(_ index: Int, _ tensor: Tensor) -> EvaluatedTensor {
      EvaluatedTensor(index: index, tensor.type, tensor.bytes, isConstant: tensor.isConstant)
    }
    return EvaluatedNode(
      index: 0, node: Self.node,
      inputs: inputs.enumerated().map { index, input in input.map { evaluated(index, $0) } },
      outputs: outputs.enumerated().map { evaluated(inputs.count + $0, $1) }, rounding: rounding)
  }

  /// The derivation of the kernel, if it is one of those that pages explain.
  ///
  /// Casts to protocols are not to be had in Embedded Swift; these are to classes.
  private static func derivation(
    of location: OutputLocation, in node: EvaluatedNode, by kernel: any Kernel
  ) throws(KernelError) -> NodeDerivation? {
    func derivation<Nest: ConvolutionNest, Arithmetic: ConvolutionArithmetic>(
      _: Nest.Type, _: Arithmetic.Type
    ) throws(KernelError) -> NodeDerivation? {
      guard let kernel = kernel as? ConvolutionKernel<Nest, Arithmetic> else { return nil }
      return try kernel.loop.derivation(of: location, in: node)
    }
    func convolution<Nest: ConvolutionNest>(_ nest: Nest.Type) throws(KernelError)
      -> NodeDerivation?
    {
      if let derivation = try derivation(nest, FloatConvolution.self) { return derivation }
      if let derivation = try derivation(nest, QuantizedConvolution<Int8, Int8>.self) {
        return derivation
      }
      return try derivation(nest, QuantizedConvolution<UInt8, UInt8>.self)
    }
    func connected<Code: TensorElement & FixedWidthInteger>(
      _: Code.Type
    ) throws(KernelError) -> NodeDerivation? {
      try derivation(
        FullyConnectedNest.self, QuantizedFullyConnected<Code, Code, Int32, Code>.self)
    }
    if let derivation = try convolution(Conv2DNest.self) { return derivation }
    if let derivation = try convolution(DepthwiseConv2DNest.self) { return derivation }
    if let derivation = try derivation(FullyConnectedNest.self, FloatConvolution.self) {
      return derivation
    }
    if let derivation = try connected(Int8.self) { return derivation }
    return try connected(UInt8.self)
  }
}

extension NodeDerivation {
  /// The derivation as lines of text.
  fileprivate var lines: String {
    var text = ""
    for term in terms {
      text += "term"
      for factor in term.factors { text += "\t\(factor.element.flatIndex)" }
      text += "\t\(Self.text(term.value))\n"
    }
    if let bias {
      text += "bias\t\(bias.element.flatIndex)\t\(Self.text(bias.element.stored))\n"
    }
    for step in steps.steps {
      text += "step\t\(step.name)\t\(step.text)\t\(Self.text(step.value))\n"
    }
    return text
  }

  private static func text(_ value: StoredValue?) -> String {
    switch value {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .complex, .string, nil: ""
    }
  }
}
