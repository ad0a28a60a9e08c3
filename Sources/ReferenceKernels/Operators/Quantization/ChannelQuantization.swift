// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A tensor's quantization as a loop over it needs it: parameters per run of elements.
package struct ChannelQuantization: Sendable {
  /// The parameters, one for the tensor or one per channel.
  package let channels: [Affine]
  /// How many neighboring elements share parameters.
  package let runLength: Int

  /// The quantization of `type`.
  ///
  /// - Throws: `KernelError` where there is none, or it does not fit the shape.
  package init(_ type: TensorType, _ tensor: KernelError.Tensor) throws(KernelError) {
    guard let quantization = type.quantization, quantization.scaleCount > 0 else {
      throw .invalid("quantization parameters are missing", tensor)
    }
    var channels: [Affine] = []
    for (scale, zeroPoint) in zip(quantization.scales, quantization.zeroPoints) {
      guard let zeroPoint = Int32(exactly: zeroPoint) else {
        throw .invalid("zero point \(zeroPoint)", tensor)
      }
      channels.append(Affine(scale: scale, zeroPoint: zeroPoint))
    }
    self.channels = channels
    guard channels.count > 1 else {
      runLength = max(type.shape.elementCount, 1)
      return
    }
    let axis = quantization.axis
    guard 0..<type.shape.rank ~= axis, type.shape[axis] == channels.count else {
      throw .invalid("\(channels.count) scales along axis \(axis) of \(type.shape)", tensor)
    }
    runLength = type.shape.strides[axis]
  }

  /// The parameters of the run that starts at a flat index.
  package func channel(at index: Int) -> Affine {
    channels.count == 1 ? channels[0] : channels[index / runLength % channels.count]
  }
}
