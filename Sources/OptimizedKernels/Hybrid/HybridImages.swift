// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// The images of a hybrid node: what is quantized with a scale of its own.
///
/// Their quantized values, what these stand for, the padding of each, and the limits of parts take
/// four scratch tensors.
struct HybridImages: Sendable {
  /// The most parts of an image, whose limits are found apart.
  private static let mostParts = 16
  /// Elements that are worth the work of several workers.
  private static let leastSharedCount = 2_048
  /// Elements of an image of which several are quantized together: so many fit the first-level cache.
  private static let mostOfShortImage = 1_024
  /// Bytes between what different workers write.
  private static let partAlignment = 128

  /// Images.
  let count: Int
  /// Elements of each.
  let elementCount: Int
  /// Whether each is one row of a single product, rather than a product of its own.
  let isByRow: Bool
  /// Bytes of the padding of each.
  let paddingByteCount: Int
  /// How they are quantized.
  let quantization: HybridQuantization
  /// With which kernels.
  let kernels: HybridMicrokernels
  /// At which position of its inputs the node has them.
  var input = 0

  /// Products to be computed.
  var productCount: Int { isByRow ? 1 : count }

  /// Bytes of the scratch tensors.
  var scratch: [Int] {
    [
      count * elementCount, count * MemoryLayout<HybridAffine>.stride,
      max(count * paddingByteCount, 1),
      isByRow ? 0 : Self.mostParts * partByteCount,
    ]
  }

  /// Bytes of the limits that belong to a part of each image.
  private var partByteCount: Int {
    roundedUp(count * MemoryLayout<FloatLimits>.stride, to: Self.partAlignment)
  }

  /// Quantizes all images.
  func quantize(_ frame: borrowing TensorFrame) { quantize(frame, images: 0..<count) }

  /// Quantizes some images.
  private func quantize(_ frame: borrowing TensorFrame, images: Range<Int>) {
    guard var quantizer = unsafe quantizer(frame, images.lowerBound) else { return }
    let notes = unsafe notes(frame)
    guard quantization == .asymmetric, elementCount <= Self.mostOfShortImage else {
      for image in images {
        unsafe notes.write(HybridAffine(quantizer.run(quantization)), of: image)
        unsafe quantizer.moveOn()
      }
      return
    }
    // The parameters of several short images are found together.
    var image = images.lowerBound
    while image < images.upperBound {
      let count = min(HybridRanges.capacity, images.upperBound - image)
      unsafe quantizer.runAsymmetrically(count) { index, affine in
        unsafe notes.write(affine, of: image + index)
      }
      image += count
    }
  }

  /// Phases in which so many workers can quantize the images; 0 where there is too little to do.
  func phaseCount(workerCount: Int) -> Int {
    guard count * elementCount >= Self.leastSharedCount else { return 0 }
    return count >= workerCount ? 1 : isByRow ? 0 : 2
  }

  /// Does one of `workerCount` parts of a phase: quantizes some of the images, or finds the limits
  /// of a part of each, from which the second phase finds those of the whole.
  func quantize(_ frame: borrowing TensorFrame, phase: Int, part: Int, of workerCount: Int) {
    if count >= workerCount { return quantize(frame, images: share(part, of: workerCount, count)) }
    let partCount = min(workerCount, Self.mostParts)
    guard part < partCount else { return }
    for image in 0..<count {
      guard let quantizer = unsafe quantizer(frame, image) else { return }
      let values = unsafe quantizer.part(part, of: partCount)
      guard phase > 0 else {
        unsafe limits(frame, part)[image] = unsafe quantizer.limits(of: values)
        continue
      }
      var whole = FloatLimits()
      for part in 0..<partCount { unsafe whole.formUnion(limits(frame, part)[image]) }
      let range = QuantizedRange(quantization, whole)
      unsafe quantizer.quantize(values, range)
      if part == 0 { unsafe notes(frame).write(HybridAffine(range.affine), of: image) }
    }
  }

  @unsafe
  private func quantizer(_ frame: borrowing TensorFrame, _ image: Int) -> FloatQuantizer? {
    guard let address = unsafe frame.inputAddress(input) else { return nil }
    let first = image * elementCount
    return unsafe FloatQuantizer(
      address.assumingMemoryBound(to: Float.self) + first, count: elementCount,
      quantizedValues: frame.scratchAddress(0).assumingMemoryBound(to: Int8.self) + first, kernels)
  }

  /// The limits of a part of each image.
  @unsafe
  private func limits(
    _ frame: borrowing TensorFrame, _ part: Int
  ) -> UnsafeMutablePointer<FloatLimits> {
    unsafe (frame.scratchAddress(3) + part * partByteCount)
      .assumingMemoryBound(to: FloatLimits.self)
  }

  /// Where the scratch tensors are that `Notes` are written to.
  @unsafe
  private func notes(_ frame: borrowing TensorFrame) -> Notes {
    unsafe Notes(
      affines: frame.scratchAddress(1).assumingMemoryBound(to: HybridAffine.self),
      padding: frame.scratchAddress(2), paddingByteCount: paddingByteCount)
  }

  /// What images' quantized values stand for, and their padding.
  @unsafe
  private struct Notes {
    let affines: UnsafeMutablePointer<HybridAffine>
    let padding: UnsafeMutableRawPointer
    let paddingByteCount: Int

    /// Notes what an image's quantized values stand for, and fills its padding.
    @inline(__always)
    func write(_ affine: HybridAffine, of image: Int) {
      unsafe (affines + image).initialize(to: affine)
      guard unsafe paddingByteCount > 0 else { return }
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
      affines: UnsafePointer(frame.scratchAddress(1).assumingMemoryBound(to: HybridAffine.self)),
      padding: UnsafeRawPointer(frame.scratchAddress(2)))
  }

  /// The quantized images.
  @unsafe
  struct Locations {
    /// The first image's first quantized value.
    let quantizedValues: UnsafeRawPointer
    fileprivate let affines: UnsafePointer<HybridAffine>
    /// The first image's padding.
    let padding: UnsafeRawPointer

    /// What the quantized values of an image stand for.
    func affine(_ image: Int) -> HybridAffine { unsafe affines[image] }

    /// What the quantized values of the images from `image` on stand for.
    func affines(from image: Int) -> UnsafePointer<HybridAffine> { unsafe affines + image }
  }
}

/// A kernel that quantizes floats before it multiplies them.
protocol HybridKernel: BlockKernel {
  /// What it quantizes.
  var images: HybridImages { get }
}

extension HybridKernel {
  func begin(_ frame: borrowing TensorFrame) { images.quantize(frame) }

  func phaseCount(workerCount: Int) -> Int { images.phaseCount(workerCount: workerCount) }

  func begin(_ frame: borrowing TensorFrame, phase: Int, part: Int, of workerCount: Int) {
    images.quantize(frame, phase: phase, part: part, of: workerCount)
  }
}
