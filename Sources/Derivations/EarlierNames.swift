// SPDX-License-Identifier: Apache-2.0

extension ExplainedTerm.Factor {
  /// The earlier name of `quantized`.
  @available(*, deprecated, renamed: "quantized")
  public var code: Int? { quantized }
}
