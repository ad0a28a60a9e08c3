// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

/// The element-type variants of each operator that have an optimised kernel.
///
/// A test finds out from the golden cases whether this is so.
package enum OptimizedVariants {
  /// The variants of `code`, in the notation of `Docs/Operators.md`.
  package static func of(_ code: OperatorCode) -> [String] {
    byOperator[code]?.split(separator: " ").map(String.init) ?? []
  }

  private static let byOperator: [OperatorCode: String] = [
    .conv2D: "f32 i8_i4w_q i8_pc_q i8_pt_q u8_q",
    .depthwiseConv2D: "f32 i8_i4w_q i8_pc_q i8_pt_q u8_q",
    .fullyConnected: "f32 f32_sparse i8_i2w_q i8_i4w_pc_q i8_i4w_q i8_pc_q i8_pt_q u8_q",
  ]
}
