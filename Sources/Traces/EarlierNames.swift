// SPDX-License-Identifier: Apache-2.0

/// The earlier name of `TensorLocation`.
@available(*, deprecated, renamed: "TensorLocation")
public typealias TensorPlace = TensorLocation

extension TraceName {
  /// The earlier name of `location`.
  @available(*, deprecated, renamed: "location")
  public var place: TensorLocation { location }
}

extension Trace.Tensor {
  /// The earlier name of `location`.
  @available(*, deprecated, renamed: "location")
  public var place: TensorLocation { location }
}
