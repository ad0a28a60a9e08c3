// SPDX-License-Identifier: Apache-2.0

public import Traces

extension RunComparison.Tensor {
  /// The earlier name of `location`.
  @available(*, deprecated, renamed: "location")
  public var place: TensorLocation { location }
}
