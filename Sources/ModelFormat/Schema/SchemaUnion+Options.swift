// SPDX-License-Identifier: Apache-2.0

extension SchemaUnion {
  /// The options of builtin operators.
  package static let builtinOptions = SchemaUnion(
    name: "BuiltinOptions", members: optionsTo63 + optionsFrom64)

  /// Members 1 to 63.
  private static let optionsTo63: [SchemaTable] = [
    SchemaTable(
      "Conv2DOptions",
      [
        "padding": .padding, "stride_w": .int32, "stride_h": .int32,
        "fused_activation_function": .activation, "dilation_w_factor": .int32,
        "dilation_h_factor": .int32, "quantized_bias_type": .tensorType,
      ]),
    SchemaTable(
      "DepthwiseConv2DOptions",
      [
        "padding": .padding, "stride_w": .int32, "stride_h": .int32, "depth_multiplier": .int32,
        "fused_activation_function": .activation, "dilation_w_factor": .int32,
        "dilation_h_factor": .int32,
      ]),
    SchemaTable(
      "ConcatEmbeddingsOptions",
      [
        "num_channels": .int32, "num_columns_per_channel": .int32s,
        "embedding_dim_per_channel": .int32s,
      ]),
    SchemaTable("LSHProjectionOptions", ["type": .scalar(.name(.projection))]),
    SchemaTable(
      "Pool2DOptions",
      [
        "padding": .padding, "stride_w": .int32, "stride_h": .int32, "filter_width": .int32,
        "filter_height": .int32, "fused_activation_function": .activation,
      ]),
    SchemaTable(
      "SVDFOptions",
      [
        "rank": .int32, "fused_activation_function": .activation,
        "asymmetric_quantize_inputs": .bool,
      ]),
    SchemaTable(
      "RNNOptions", ["fused_activation_function": .activation, "asymmetric_quantize_inputs": .bool]),
    SchemaTable(
      "FullyConnectedOptions",
      [
        "fused_activation_function": .activation, "weights_format": .scalar(.name(.weightsFormat)),
        "keep_num_dims": .bool, "asymmetric_quantize_inputs": .bool,
        "quantized_bias_type": .tensorType,
      ]),
    SchemaTable("SoftmaxOptions", ["beta": .float32]),
    SchemaTable(
      "ConcatenationOptions", ["axis": .int32, "fused_activation_function": .activation]),
    SchemaTable(
      "AddOptions", ["fused_activation_function": .activation, "pot_scale_int16": .bool]),
    SchemaTable("L2NormOptions", ["fused_activation_function": .activation]),
    SchemaTable(
      "LocalResponseNormalizationOptions",
      ["radius": .int32, "bias": .float32, "alpha": .float32, "beta": .float32]),
    SchemaTable(
      "LSTMOptions",
      [
        "fused_activation_function": .activation, "cell_clip": .float32, "proj_clip": .float32,
        "kernel_type": .scalar(.name(.lstmKernel)), "asymmetric_quantize_inputs": .bool,
      ]),
    SchemaTable(
      "ResizeBilinearOptions",
      [
        "new_height": .int32, "new_width": .int32, "align_corners": .bool,
        "half_pixel_centers": .bool,
      ]),
    SchemaTable("CallOptions", ["subgraph": .index(.subgraph, .uint32)]),
    SchemaTable("ReshapeOptions", ["new_shape": .int32s]),
    SchemaTable(
      "SkipGramOptions",
      ["ngram_size": .int32, "max_skip_size": .int32, "include_all_ngrams": .bool]),
    SchemaTable("SpaceToDepthOptions", ["block_size": .int32]),
    SchemaTable("EmbeddingLookupSparseOptions", ["combiner": .scalar(.name(.combiner))]),
    SchemaTable("MulOptions", ["fused_activation_function": .activation]),
    SchemaTable("PadOptions"),
    SchemaTable("GatherOptions", ["axis": .int32, "batch_dims": .int32]),
    SchemaTable("BatchToSpaceNDOptions"),
    SchemaTable("SpaceToBatchNDOptions"),
    SchemaTable("TransposeOptions"),
    SchemaTable("ReducerOptions", ["keep_dims": .bool]),
    SchemaTable(
      "SubOptions", ["fused_activation_function": .activation, "pot_scale_int16": .bool]),
    SchemaTable("DivOptions", ["fused_activation_function": .activation]),
    SchemaTable("SqueezeOptions", ["squeeze_dims": .int32s]),
    SchemaTable(
      "SequenceRNNOptions",
      [
        "time_major": .bool, "fused_activation_function": .activation,
        "asymmetric_quantize_inputs": .bool,
      ]),
    SchemaTable(
      "StridedSliceOptions",
      [
        "begin_mask": .int32, "end_mask": .int32, "ellipsis_mask": .int32, "new_axis_mask": .int32,
        "shrink_axis_mask": .int32, "offset": .bool,
      ]),
    SchemaTable("ExpOptions"),
    SchemaTable("TopKV2Options"),
    SchemaTable("SplitOptions", ["num_splits": .int32]),
    SchemaTable("LogSoftmaxOptions"),
    SchemaTable("CastOptions", ["in_data_type": .tensorType, "out_data_type": .tensorType]),
    SchemaTable("DequantizeOptions"),
    SchemaTable("MaximumMinimumOptions"),
    SchemaTable("ArgMaxOptions", ["output_type": .tensorType]),
    SchemaTable("LessOptions"),
    SchemaTable("NegOptions"),
    SchemaTable("PadV2Options"),
    SchemaTable("GreaterOptions"),
    SchemaTable("GreaterEqualOptions"),
    SchemaTable("LessEqualOptions"),
    SchemaTable("SelectOptions"),
    SchemaTable("SliceOptions"),
    SchemaTable(
      "TransposeConvOptions",
      [
        "padding": .padding, "stride_w": .int32, "stride_h": .int32,
        "fused_activation_function": .activation, "quantized_bias_type": .tensorType,
      ]),
    SchemaTable("SparseToDenseOptions", ["validate_indices": .bool]),
    SchemaTable("TileOptions"),
    SchemaTable("ExpandDimsOptions"),
    SchemaTable("EqualOptions"),
    SchemaTable("NotEqualOptions"),
    SchemaTable("ShapeOptions", ["out_type": .tensorType]),
    SchemaTable("PowOptions"),
    SchemaTable("ArgMinOptions", ["output_type": .tensorType]),
    SchemaTable(
      "FakeQuantOptions",
      ["min": .float32, "max": .float32, "num_bits": .int32, "narrow_range": .bool]),
    SchemaTable("PackOptions", ["values_count": .int32, "axis": .int32]),
    SchemaTable("LogicalOrOptions"),
    SchemaTable("OneHotOptions", ["axis": .int32]),
    SchemaTable("LogicalAndOptions"),
    SchemaTable("LogicalNotOptions"),
  ]

  /// Members 64 to 126.
  private static let optionsFrom64: [SchemaTable] = [
    SchemaTable("UnpackOptions", ["num": .int32, "axis": .int32]),
    SchemaTable("FloorDivOptions"),
    SchemaTable("SquareOptions"),
    SchemaTable("ZerosLikeOptions"),
    SchemaTable("FillOptions"),
    SchemaTable(
      "BidirectionalSequenceLSTMOptions",
      [
        "fused_activation_function": .activation, "cell_clip": .float32, "proj_clip": .float32,
        "merge_outputs": .bool, "time_major": .bool, "asymmetric_quantize_inputs": .bool,
      ]),
    SchemaTable(
      "BidirectionalSequenceRNNOptions",
      [
        "time_major": .bool, "fused_activation_function": .activation, "merge_outputs": .bool,
        "asymmetric_quantize_inputs": .bool,
      ]),
    SchemaTable(
      "UnidirectionalSequenceLSTMOptions",
      [
        "fused_activation_function": .activation, "cell_clip": .float32, "proj_clip": .float32,
        "time_major": .bool, "asymmetric_quantize_inputs": .bool,
        "diagonal_recurrent_tensors": .bool,
      ]),
    SchemaTable("FloorModOptions"),
    SchemaTable("RangeOptions"),
    SchemaTable(
      "ResizeNearestNeighborOptions", ["align_corners": .bool, "half_pixel_centers": .bool]),
    SchemaTable("LeakyReluOptions", ["alpha": .float32]),
    SchemaTable("SquaredDifferenceOptions"),
    SchemaTable("MirrorPadOptions", ["mode": .scalar(.name(.mirrorPad))]),
    SchemaTable("AbsOptions"),
    SchemaTable("SplitVOptions", ["num_splits": .int32]),
    SchemaTable("UniqueOptions", ["idx_out_type": .tensorType]),
    SchemaTable("ReverseV2Options"),
    SchemaTable("AddNOptions"),
    SchemaTable("GatherNdOptions"),
    SchemaTable("CosOptions"),
    SchemaTable("WhereOptions"),
    SchemaTable("RankOptions"),
    SchemaTable("ReverseSequenceOptions", ["seq_dim": .int32, "batch_dim": .int32]),
    SchemaTable("MatrixDiagOptions"),
    SchemaTable("QuantizeOptions"),
    SchemaTable("MatrixSetDiagOptions"),
    SchemaTable("HardSwishOptions"),
    SchemaTable("IfOptions", ["then_subgraph_index": .subgraph, "else_subgraph_index": .subgraph]),
    SchemaTable(
      "WhileOptions", ["cond_subgraph_index": .subgraph, "body_subgraph_index": .subgraph]),
    SchemaTable("DepthToSpaceOptions", ["block_size": .int32]),
    SchemaTable("NonMaxSuppressionV4Options"),
    SchemaTable("NonMaxSuppressionV5Options"),
    SchemaTable("ScatterNdOptions"),
    SchemaTable("SelectV2Options"),
    SchemaTable("DensifyOptions"),
    SchemaTable("SegmentSumOptions"),
    SchemaTable(
      "BatchMatMulOptions", ["adj_x": .bool, "adj_y": .bool, "asymmetric_quantize_inputs": .bool]),
    SchemaTable("CumsumOptions", ["exclusive": .bool, "reverse": .bool]),
    SchemaTable("CallOnceOptions", ["init_subgraph_index": .subgraph]),
    SchemaTable("BroadcastToOptions"),
    SchemaTable("Rfft2dOptions"),
    SchemaTable(
      "Conv3DOptions",
      [
        "padding": .padding, "stride_d": .int32, "stride_w": .int32, "stride_h": .int32,
        "fused_activation_function": .activation, "dilation_d_factor": .int32,
        "dilation_w_factor": .int32, "dilation_h_factor": .int32,
      ]),
    SchemaTable(
      "HashtableOptions",
      ["table_id": .int32, "key_dtype": .tensorType, "value_dtype": .tensorType]),
    SchemaTable("HashtableFindOptions"),
    SchemaTable("HashtableImportOptions"),
    SchemaTable("HashtableSizeOptions"),
    SchemaTable("VarHandleOptions", ["container": .string, "shared_name": .string]),
    SchemaTable("ReadVariableOptions"),
    SchemaTable("AssignVariableOptions"),
    SchemaTable("RandomOptions", ["seed": .int64, "seed2": .int64]),
    SchemaTable("BucketizeOptions", ["boundaries": .float32s]),
    SchemaTable("GeluOptions", ["approximate": .bool]),
    SchemaTable("DynamicUpdateSliceOptions"),
    SchemaTable("UnsortedSegmentProdOptions"),
    SchemaTable("UnsortedSegmentMaxOptions"),
    SchemaTable("UnsortedSegmentMinOptions"),
    SchemaTable("UnsortedSegmentSumOptions"),
    SchemaTable("ATan2Options"),
    SchemaTable("SignOptions"),
    SchemaTable("BitcastOptions"),
    SchemaTable("BitwiseXorOptions"),
    SchemaTable("RightShiftOptions"),
  ]
}
