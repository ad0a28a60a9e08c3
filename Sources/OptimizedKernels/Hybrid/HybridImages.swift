// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The images of a hybrid node: what is quantized with a scale of its own.
///
/// Their quantized values, what these stand for, and the padding of each take three scratch
/// tensors.
struct HybridImages: Sendable {
  /// Images.
  let count: Int
  /// Elements of each.
  let elementCount: Int
  /// Whether each is one row of a single product, rather than a product of its own.
  let isByRow: Bool
  /// Bytes of the padding of each.
  let paddingByteCount: Int

  /// Products to be computed.
  var productCount: Int { isByRow ? 1 : count }

  /// Bytes of the scratch tensors.
  var scratch: [Int] {
    [count * elementCount, count * MemoryLayout<Affine>.stride, max(count * paddingByteCount, 1)]
  }

  /// Quantizes all images, which the node has at `position` of its inputs.
  func quantize(
    _ frame: borrowing TensorFrame, _ kind: HybridQuantization, _ kernels: HybridMicrokernels,
    input position: Int = 0
  ) {
    guard let address = unsafe frame.inputAddress(position) else { return }
    let input = unsafe address.assumingMemoryBound(to: Float.self)
    let quantizedValues = unsafe frame.scratchAddress(0).assumingMemoryBound(to: Int8.self)
    let affines = unsafe frame.scratchAddress(1).assumingMemoryBound(to: Affine.self)
    let padding = unsafe frame.scratchAddress(2)
    for image in 0..<count {
      let first = image * elementCount
      let quantizer = unsafe FloatQuantizer(
        input + first, count: elementCount, quantizedValues: quantizedValues + first, kernels)
      let affine = unsafe quantizer.run(kind)
      unsafe (affines + image).initialize(to: affine)
      unsafe (padding + image * paddingByteCount).initializeMemory(
        as: Int8.self, repeating: Int8(truncatingIfNeeded: affine.zeroPoint),
        count: paddingByteCount)
    }
  }

  /// Where the scratch tensors are.
  @unsafe
  func locations(_ frame: borrowing TensorFrame) -> Locations {
    unsafe Locations(
      quantizedValues: UnsafeRawPointer(frame.scratchAddress(0)),
      affines: UnsafePointer(frame.scratchAddress(1).assumingMemoryBound(to: Affine.self)),
      padding: UnsafeRawPointer(frame.scratchAddress(2)))
  }

  /// The quantized images.
  @unsafe
  struct Locations {
    /// The first image's first quantized value.
    let quantizedValues: UnsafeRawPointer
    fileprivate let affines: UnsafePointer<Affine>
    /// The first image's padding.
    let padding: UnsafeRawPointer

    /// What the quantized values of an image stand for.
    func affine(_ image: Int) -> Affine { unsafe affines[image] }
  }
}
