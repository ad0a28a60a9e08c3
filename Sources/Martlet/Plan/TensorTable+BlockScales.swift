// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import Tensors

extension TensorTable {
  /// The scales of `tensor`, if its rows are quantized in blocks whose scales are float16
  /// constants.
  func blockScales(of tensor: ModelFile.Tensor) -> BlockScales? {
    guard case .blockwise(let position, _, let blockLength) = tensor.quantization?.details,
      sources[position] == .constant, types[position]?.elementType == .float16,
      let values = bytes[position]
    else { return nil }
    let stored = values.span(as: Float16.self)
    return BlockScales(stored.indices.map { Float(stored[$0]) }, blockLength: blockLength)
  }
}
