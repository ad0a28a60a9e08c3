// SPDX-License-Identifier: Apache-2.0

extension SchemaUnion {
  /// The options of builtin operators for which the first union has no room.
  package static let builtinOptions2 = SchemaUnion(
    name: "BuiltinOptions2",
    members: [
      SchemaTable("StablehloConcatenateOptions", ["dimension": .int64]),
      SchemaTable("StablehloBroadcastInDimOptions", ["broadcast_dimensions": .int64s]),
      SchemaTable(
        "StablehloSliceOptions",
        ["start_indices": .int64s, "limit_indices": .int64s, "strides": .int64s]),
      SchemaTable(
        "StablehloConvolutionOptions",
        [
          "window_strides": .int64s, "padding": .int64s, "lhs_dilation": .int64s,
          "rhs_dilation": .int64s, "window_reversal": .bools, "input_batch_dimension": .int64,
          "input_feature_dimension": .int64, "input_spatial_dimensions": .int64s,
          "kernel_input_feature_dimension": .int64, "kernel_output_feature_dimension": .int64,
          "kernel_spatial_dimensions": .int64s, "output_batch_dimension": .int64,
          "output_feature_dimension": .int64, "output_spatial_dimensions": .int64s,
          "feature_group_count": .int64, "batch_group_count": .int64,
          "precision_config": .vector(.name(.precision), alignment: 4),
        ]),
      SchemaTable(
        "StablehloCustomCallOptions",
        [
          "call_target_name": .string, "has_side_effect": .bool, "backend_config": .string,
          "api_version": .int32, "called_computations": .indices(.subgraph),
          "custom_attributes": .bytes,
        ]),
      SchemaTable(
        "StablehloReduceOptions", ["dimensions": .int64s, "body_subgraph_index": .subgraph]),
      SchemaTable(
        "StablehloScatterOptions",
        [
          "indices_are_sorted": .bool, "update_window_dims": .int64s,
          "inserted_window_dims": .int64s, "scatter_dims_to_operand_dims": .int64s,
          "index_vector_dim": .int64, "unique_indices": .bool,
          "update_computation_subgraph_index": .subgraph,
        ]),
      SchemaTable(
        "StablehloCompareOptions",
        [
          "comparison_direction": .scalar(.name(.comparisonDirection)),
          "compare_type": .scalar(.name(.comparisonType)),
        ]),
      SchemaTable("StablehloDynamicSliceOptions", ["slice_sizes": .int64s]),
      SchemaTable(
        "StablehloPadOptions",
        ["edge_padding_low": .int64s, "edge_padding_high": .int64s, "interior_padding": .int64s]),
      SchemaTable("StablehloIotaOptions", ["iota_dimension": .int64]),
      SchemaTable(
        "StablehloDotGeneralOptions",
        [
          "lhs_batching_dimensions": .int64s, "rhs_batching_dimensions": .int64s,
          "lhs_contracting_dimensions": .int64s, "rhs_contracting_dimensions": .int64s,
          "precision_config": .vector(.name(.precision), alignment: 4),
        ]),
      SchemaTable(
        "StablehloReduceWindowOptions",
        [
          "window_dimensions": .int64s, "window_strides": .int64s, "base_dilations": .int64s,
          "window_dilations": .int64s, "padding": .int64s, "body_subgraph_index": .subgraph,
        ]),
      SchemaTable(
        "StablehloSortOptions",
        ["dimension": .int64, "is_stable": .bool, "comparator_subgraph_index": .subgraph]),
      SchemaTable(
        "StablehloWhileOptions",
        ["cond_subgraph_index": .subgraph, "body_subgraph_index": .subgraph]),
      SchemaTable(
        "StablehloGatherOptions",
        [
          "offset_dims": .int64s, "collapsed_slice_dims": .int64s, "start_index_map": .int64s,
          "index_vector_dim": .int64, "slice_sizes": .int64s, "indices_are_sorted": .bool,
        ]),
      SchemaTable("StablehloTransposeOptions", ["permutation": .int64s]),
      SchemaTable("DilateOptions"),
      SchemaTable(
        "StablehloRngBitGeneratorOptions", ["algorithm": .scalar(.name(.randomAlgorithm))]),
      SchemaTable("ReduceWindowOptions", ["reduce_function": .scalar(.name(.windowFunction))]),
      SchemaTable(
        "StableHLOCompositeOptions",
        [
          "name": .string, "decomposition_subgraph_index": .subgraph,
          "composite_attributes": .customOptions,
          "composite_attributes_format": .scalar(.name(.optionsFormat)), "version": .int32,
        ]),
      SchemaTable("StablehloShiftLeftOptions"),
      SchemaTable("StablehloCaseOptions", ["branch_subgraph_indices": .indices(.subgraph)]),
    ])
}
