// SPDX-License-Identifier: Apache-2.0

extension InferenceError {
  /// The earlier name of `location`.
  @available(*, deprecated, renamed: "location")
  public var place: String { location }
}
