// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// Floats, quantized at every evaluation, in a `TRANSPOSE_CONV` with constant integer weights.
///
/// Products of quantized values, which floats hold exactly, are scaled and added one by one in the
/// reference kernel's order: results are the same bit for bit. Only where activations are infinite
/// may an output pixel next to the border be NaN instead, as a product with padding then is.
final class HybridTransposed: BlockKernel {
  private let windows: TransposedWindows
  private let matrices: PackedWeights<[PackedFloatMatrix]>
  private let filterScales: AlignedMemory
  private let range: ActivationRange<Float>
  private let kernels: FloatMicrokernels
  private let images: HybridImages
  private let padding: AlignedMemory
  private let outputDepth: Int

  /// The transposed convolution of `loop`; nil where its weights are not constant, or their scales
  /// not finite.
  init?(
    _ loop: HybridConvolutionLoop<TransposeConvNest, ScatteredHybridConvolution>,
    _ node: PrepareContext, _ cache: WeightCache, _ set: MicrokernelSet
  ) {
    let nest = loop.nest
    let (depth, columns) = (nest.inputDepth, nest.outputDepth)
    let scales = loop.arithmetic.filterScales
    guard scales.allSatisfy(\.isFinite),
      let windows = TransposedWindows(nest, elementByteCount: 4),
      let weights = ConstantWeights(
        node, unpacked: loop.unpackedFilter, filterByteCount: windows.tapCount * depth * columns,
        biasByteCount: columns * 4, biasInput: TransposeConvNest.positions.bias)
    else { return nil }
    self.windows = windows
    let form = WeightForm("hybrid transposed", set, nest.parameters)
    matrices = weights.packed(in: cache, form: form) { allocate in
      windows.parts.map { part in
        windows.packed(part, of: weights, depth, columns, set.float.layout, allocate) {
          (weight: Int8) in Float(weight)
        }
      }
    }
    kernels = set.float
    // Pixels that are computed together have the same scales, one after the other.
    let most = columns * (windows.parts.map(\.pixelCount).max() ?? 1)
    filterScales = AlignedMemory(
      zeroed: roundedUp(most, to: kernels.layout.panelWidth) * MemoryLayout<Float>.stride)
    for column in 0..<most {
      unsafe filterScales.address.storeBytes(
        of: scales.count == 1 ? scales[0] : scales[column % columns], toByteOffset: column * 4,
        as: Float.self)
    }
    range = loop.arithmetic.range
    images = HybridImages(
      count: nest.batchCount, elementCount: nest.inputCount, isByRow: false, paddingByteCount: 0,
      quantization: loop.quantization, kernels: set.byte.hybrid,
      input: TransposeConvNest.positions.input)
    padding = AlignedMemory(zeroed: windows.parts.map(\.rows.tapByteCount).max() ?? 0)
    outputDepth = columns
  }

  private var elementCount: Int { images.count * images.elementCount }

  /// Bytes of the scratch tensors: the quantized images, and their quantized values less the zero
  /// point.
  var scratch: [Int] { images.scratch + [elementCount * MemoryLayout<Float>.stride] }

  func begin(_ frame: borrowing TensorFrame) {
    images.quantize(frame)
    let locations = unsafe images.locations(frame)
    let quantizedValues = unsafe locations.quantizedValues.assumingMemoryBound(to: Int8.self)
    let values = unsafe frame.scratchAddress(images.scratch.count)
      .assumingMemoryBound(to: Float.self)
    for image in 0..<images.count {
      let zeroPoint = unsafe locations.affine(image).zeroPoint
      let first = image * images.elementCount
      for index in first..<first + images.elementCount {
        unsafe values[index] = Float(Int32(quantizedValues[index]) &- zeroPoint)
      }
    }
  }

  func blockCount(workerCount: Int) -> Int { windows.blocks(workerCount: workerCount).count }

  func compute(_ frame: borrowing TensorFrame, workerCount: Int, next: () -> Int?) {
    let values = unsafe UnsafeRawPointer(frame.scratchAddress(images.scratch.count))
    let output = unsafe frame.outputAddress(0).assumingMemoryBound(to: Float.self)
    let locations = unsafe images.locations(frame)
    let scales = unsafe filterScales.address.assumingMemoryBound(to: Float.self)
    unsafe windows.forEachLine(
      values, padding: padding, workerCount: workerCount, next: next,
      tileByteCount: { kernels.layout.scratchByteCount(depth: $0 / 4) }
    ) { line in
      let scaling = unsafe FloatProductScaling(
        columns: scales, common: locations.affine(line.image).scale)
      unsafe windows.multiply(
        line, by: matrices.value, kernels, outputDepth: outputDepth, range, scaling, to: output)
    }
  }
}
