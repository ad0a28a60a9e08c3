// SPDX-License-Identifier: Apache-2.0

/// A function of single elements that may be joined with an operation on its operand and its
/// result, such as `x · f(x)`.
protocol SelfGated: ElementKernel {
  /// The function with `operation` applied to its operand and its result; nil where there is none.
  ///
  /// `resultIsLeft` tells whether the result is the operation's first operand.
  func gating(_ operation: any RowKernel, resultIsLeft: Bool) -> (any ElementKernel)?
}
