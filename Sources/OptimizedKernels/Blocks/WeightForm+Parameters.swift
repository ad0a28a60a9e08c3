// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

extension WeightForm {
  /// The form for the microkernels of `set`.
  init(_ kind: String, _ set: MicrokernelSet, _ parameters: [Int]) {
    self.init(kind, level: set.description, parameters)
  }
}

extension TransposeConvNest {
  /// What packed weights depend on.
  var parameters: [Int] {
    geometry.rows.parameters + geometry.columns.parameters + [inputDepth, outputDepth]
  }
}

extension WindowAxis {
  /// What the axis is told apart from others by.
  fileprivate var parameters: [Int] { [input, window, stride, dilation, output, padding] }
}
