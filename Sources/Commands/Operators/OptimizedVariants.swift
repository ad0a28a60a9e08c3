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
    .abs: "f32",
    .add: "f32 i8_q u8_q",
    .argMax: "f32 i8",
    .argMin: "f32 i8",
    .averagePool2D: "f32 i8_q u8_q",
    .batchMatMul: "f32 f32_crhs hybrid_i8 hybrid_i8_asym hybrid_i8_pc i8_q",
    .bidirectionalSequenceLSTM: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8",
    .bidirectionalSequenceRNN: "f32 hybrid_i8 hybrid_i8_asym",
    .broadcastTo: "bool f16 f32 i16 i32 i64 i8 u32 u8",
    .ceil: "f32",
    .concatenation: "bf16 bool f16 f32 i16_q i32 i64 i8_q u32 u8_q",
    .conv2D: """
    f32 hybrid_i4_pc hybrid_i8 hybrid_i8_pc hybrid_u8 i16x8_b32_q i16x8_q i8_i4w_q i8_pc_q \
    i8_pt_q i8_q u8_q
    """,
    .depthToSpace: "f32 i32 i64 i8 u8",
    .depthwiseConv2D: "f32 hybrid_i8_pc i16x8_q i8_i4w_q i8_pc_q i8_pt_q i8_q u8_q",
    .dequantize: "i8_q u8_q",
    .dilate: "bool f16 f32 f64 i16 i32 i64 i8 u8",
    .div: "f32",
    .elu: "i8_q",
    .exp: "f32 i8_q",
    .fill: "bool f16 f32 i16 i32 i64 i8 u8",
    .floor: "f32",
    .fullyConnected: """
    f32 f32_sparse hybrid_i2_pc hybrid_i4 hybrid_i4_pc hybrid_i8 hybrid_i8_asym hybrid_i8_pc \
    hybrid_i8_pc_asym hybrid_u8 i16x8_b32_q i16x8_pc_q i16x8_q i8_i2w_q i8_i4w_pc_q i8_i4w_q \
    i8_pc_q i8_pt_q i8_q u8_q
    """,
    .gather: "f32 i32 i64",
    .gelu: "i8_q u8_q",
    .hardSwish: "f32 i8_q u8_q",
    .l2Normalization: "f32 i8_q u8_q",
    .leakyRelu: "f32 i8_q u8_q",
    .log: "i8_q",
    .logistic: "f32 i8_q u8_q",
    .lstm: """
    f32 f32_ln hybrid_i8 hybrid_i8_asym hybrid_i8_asym_ln hybrid_i8_ln hybrid_u8 hybrid_u8_ln \
    i8x8_16_q
    """,
    .matrixDiag: "f32 i16 i32 i64 i8 u8",
    .matrixSetDiag: "f32 i16 i32 i64 i8 u8",
    .maximum: "f32 i8 i8_q u8 u8_q",
    .maxPool2D: "f32 i8_q u8_q",
    .mean: "f32 i8_q u8_q",
    .minimum: "f32 i8 i8_q u8 u8_q",
    .mul: "f32 i8_q u8_q",
    .neg: "f32",
    .pack: "f32 i16 i32 i64 i8 u32 u8",
    .pad: "bf16 bool f16 f32 i16_q i32 i64 i8 i8_q u8_q",
    .padV2: "bf16 bool f16 f32 i16_q i32 i64 i8 i8_q u8_q",
    .prelu: "f32 i8_q u8_q",
    .quantize: "f32_to_i8 f32_to_u8 i8_q i8_to_i8 i8_to_u8 u8_q u8_to_i8 u8_to_u8",
    .reduceMax: "f32",
    .reduceMin: "f32",
    .relu: "f32 i8_q u8_q",
    .relu0To1: "f32 i8_q u8_q",
    .relu6: "f32 i8_q u8_q",
    .reluN1To1: "f32 i8_q u8_q",
    .resizeBilinear: "f32 i8_q u8_q",
    .resizeNearestNeighbor: "f32 i32 i8_q u8_q",
    .reverseV2: "bf16 bool f16 f32 i16 i32 i64 i8 u8",
    .rnn: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8",
    .round: "f32",
    .rsqrt: "f32",
    .slice: "bool f16 f32 i16 i32 i64 i8 u32 u8",
    .softmax: "f32 i8_q u8_q",
    .spaceToDepth: "f32 i32 i64 i8 u8",
    .split: "f32 i16 i32 i64 i8 u8",
    .splitV: "f32 i16 i32 i64 i8 u8",
    .sqrt: "f32",
    .square: "f32",
    .squaredDifference: "f32",
    .stablehloPad: "bool f16 f32 i16 i32 i64 i8 u8",
    .stridedSlice: "bool f16 f32 i16 i32 i64 i8 u32 u8",
    .sub: "f32 i8_q u8_q",
    .sum: "f32 u8_q",
    .svdf: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8 i8x16_q",
    .tanh: "f32 i8_q u8_q",
    .tile: "bool f32 i16 i32 i64 i8 u8",
    .topKV2: "f32",
    .transpose: "bool c64 f16 f32 i16 i32 i64 i8 u32 u8",
    .transposeConv: "f32 hybrid_i8 hybrid_i8_pc i8_pc_q i8_pt_q i8_q u8_q",
    .unidirectionalSequenceLSTM: """
    f32 f32_diag f32_ln hybrid_i8 hybrid_i8_asym hybrid_i8_asym_ln hybrid_i8_ln hybrid_u8 \
    hybrid_u8_ln i8x8_16_q
    """,
    .unidirectionalSequenceRNN: "f32 hybrid_i8 hybrid_i8_asym hybrid_u8",
    .unpack: "bf16 bool f16 f32 i16 i32 i8 u8",
    .zerosLike: "f32 i32 i64",
  ]
}
