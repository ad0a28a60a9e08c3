// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let averagePool2D = CatalogEntry(
    .averagePool2D, chapter: .pooling,
    formula: "y = Σ x / n over the n elements of a window that lie in the image",
    versions: .upTo(3),
    variants: "f32 u8_q i8_q i16_q", optimized: "f32 i8_q u8_q",
    work: .windows, reads: .everything
  ) { node throws(KernelError) in Pool2D(options: try node.options(), function: .average) }

  static let l2Pool2D = CatalogEntry(
    .l2Pool2D, chapter: .pooling,
    formula: "y = √(Σ x² / n) over the n elements of a window that lie in the image",
    versions: .upTo(1),
    variants: "f32", optimized: "",
    work: .windows, reads: .everything
  ) { node throws(KernelError) in Pool2D(options: try node.options(), function: .rootMeanSquare) }

  static let maxPool2D = CatalogEntry(
    .maxPool2D, chapter: .pooling,
    formula: "y = max x over the elements of a window that lie in the image", versions: .upTo(3),
    variants: "f32 u8_q i8_q i16_q", optimized: "f32 i8_q u8_q",
    work: .windows, reads: .everything
  ) { node throws(KernelError) in Pool2D(options: try node.options(), function: .maximum) }
}

extension OperatorWork {
  /// The elements of a window, as far as the image reaches, for each output.
  fileprivate static let windows = OperatorWork.elements { types in
    guard let options = types.options(Pool2DOptions.self),
      let input = types.dimensions(ofInput: 0, rank: 4)
    else { return nil }
    return Checked.product([
      types.output(0)?.shape.elementCount, min(Int(options.filterHeight), input[1]),
      min(Int(options.filterWidth), input[2]),
    ])
  }
}

/// `AVERAGE_POOL_2D`, `MAX_POOL_2D` and `L2_POOL_2D`: each window of an image becomes one value
/// per channel; see `Pool2DKernel`.
///
/// - Input 0: `[batch, height, width, depth]`.
/// - Output: `[batch, output height, output width, depth]`, with the input's quantization: TFLite
///   assumes so without looking.
///
/// TFLite: `pooling.cc`.
struct Pool2D: Operator {
  let options: Pool2DOptions
  let function: Function

  /// What becomes of a window.
  enum Function {
    case average, maximum, rootMeanSquare
  }

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let input = try node.input(0)
    let output = try node.declaredOutput()
    let shape = try node.image(0)
    guard output.elementType == input.elementType else {
      throw .elementType(output.elementType, .output(0))
    }
    let geometry = WindowGeometry(
      rows: try WindowAxis(
        input: shape[1], window: Int(options.filterHeight), stride: Int(options.strideHeight),
        dilation: 1, padding: options.padding),
      columns: try WindowAxis(
        input: shape[2], window: Int(options.filterWidth), stride: Int(options.strideWidth),
        dilation: 1, padding: options.padding))
    let nest = Pool2DNest(geometry: geometry, batchCount: shape[0], depth: shape[3])
    // TFLite gives up on both axes where the window is wider than the image by two strides.
    let isTooWide =
      options.padding == .valid
      && geometry.columns.window >= shape[2] + 2 * geometry.columns.stride
    let outputShape = try Shape.checked([
      shape[0], isTooWide ? 0 : geometry.rows.output, geometry.columns.output, shape[3],
    ])
    return Prepared(
      TensorType(input.elementType, outputShape, quantization: output.quantization),
      try kernel(input.elementType, output, nest))
  }

  private func kernel(
    _ elementType: ElementType, _ output: TensorType, _ nest: Pool2DNest
  ) throws(KernelError) -> any Kernel {
    switch elementType {
    case .float32:
      let range = ActivationRange<Float>(options.fusedActivation)
      switch function {
      case .average: return Pool2DKernel(FloatAverage(range: range), nest)
      case .maximum: return Pool2DKernel(FloatMaximum(range: range), nest)
      case .rootMeanSquare: return Pool2DKernel(RootMeanSquare(range: range), nest)
      }
    case .uint8: return try kernel(UInt8.self, output, nest)
    case .int8: return try kernel(Int8.self, output, nest)
    case .int16: return try kernel(Int16.self, output, nest)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func kernel<Element: TensorElement & FixedWidthInteger>(
    _ type: Element.Type, _ output: TensorType, _ nest: Pool2DNest
  ) throws(KernelError) -> any Kernel {
    // Without a fused activation quantized values need no quantization to be compared or averaged.
    let range =
      options.fusedActivation == .none
      ? ActivationRange(Int32(clamping: Element.min), Int32(clamping: Element.max))
      : try ActivationRange(
        options.fusedActivation, output: output.affine(.output(0)), as: Element.self)
    switch function {
    case .average: return Pool2DKernel(QuantizedAverage<Element>(range: range), nest)
    case .maximum: return Pool2DKernel(QuantizedMaximum<Element>(range: range), nest)
    case .rootMeanSquare: throw .elementType(Element.elementType, .input(0))
    }
  }
}
