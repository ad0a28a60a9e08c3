// SPDX-License-Identifier: Apache-2.0

extension SchemaTable {
  /// The root of a file.
  package static let model = SchemaTable(
    "Model",
    [
      "version": .uint32, "operator_codes": .tables(operatorCode),
      "subgraphs": .tables(subgraph), "description": .string, "buffers": .tables(buffer),
      "metadata_buffer": .indices(.buffer), "metadata": .tables(metadata),
      "signature_defs": .tables(signature), "external_buffer_groups": .tables(externalGroup),
      "external_buffers": .tables(externalBuffer),
    ])

  /// Which operator nodes are, and in which version.
  package static let operatorCode = SchemaTable(
    "OperatorCode",
    [
      "deprecated_builtin_code": .scalar(.name(.narrowOperator)), "custom_code": .string,
      "version": .int32, "builtin_code": .scalar(.name(.builtinOperator)),
    ])

  /// A graph.
  package static let subgraph = SchemaTable(
    "SubGraph",
    [
      "tensors": .tables(tensor), "inputs": .indices(.tensor), "outputs": .indices(.tensor),
      "operators": .tables(node), "name": .string,
      "debug_metadata_index": .index(.debugMetadata, .int32),
    ])

  /// An operator's occurrence in a graph.
  package static let node = SchemaTable(
    "Operator",
    [
      "opcode_index": .index(.operatorCode, .uint32), "inputs": .indices(.tensor),
      "outputs": .indices(.tensor), "builtin_options_type": .member(.builtinOptions),
      "builtin_options": .union(.builtinOptions), "custom_options": .customOptions,
      "custom_options_format": .scalar(.name(.optionsFormat)),
      "mutating_variable_inputs": .bools, "intermediates": .indices(.tensor),
      "large_custom_options_offset": .uint64, "large_custom_options_size": .uint64,
      "builtin_options_2_type": .member(.builtinOptions2),
      "builtin_options_2": .union(.builtinOptions2),
      "debug_metadata_index": .index(.debugMetadata, .int32),
    ])

  /// The contents of tensors, or of anything else.
  package static let buffer = SchemaTable(
    "Buffer", ["data": .contents, "offset": .uint64, "size": .uint64])

  static let metadata = SchemaTable(
    "Metadata", ["name": .string, "buffer": .index(.buffer, .uint32)])

  static let signature = SchemaTable(
    "SignatureDef",
    [
      "inputs": .tables(tensorMap), "outputs": .tables(tensorMap), "signature_key": .string,
      "deprecated_tag": .string, "subgraph_index": .index(.subgraph, .uint32),
    ])

  static let tensorMap = SchemaTable(
    "TensorMap", ["name": .string, "tensor_index": .index(.signatureTensor, .uint32)])

  static let externalGroup = SchemaTable("ExternalBufferGroup", ["name": .string])

  static let externalBuffer = SchemaTable(
    "ExternalBuffer",
    [
      "id": .uint32, "group": .index(.externalGroup, .uint32), "offset": .uint64,
      "length": .uint64, "packing": .string,
    ])
}

/// Tensors, their quantisation and sparsity.
extension SchemaTable {
  /// A tensor.
  package static let tensor = SchemaTable(
    "Tensor",
    [
      "shape": .int32s, "type": .tensorType, "buffer": .index(.buffer, .uint32),
      "name": .string, "quantization": .table(quantization), "is_variable": .bool,
      "sparsity": .table(sparsity), "shape_signature": .int32s, "has_rank": .bool,
      "variant_tensors": .tables(variantSubType),
      "external_buffer": .index(.externalBuffer, .uint32),
    ])

  static let variantSubType = SchemaTable(
    "VariantSubType", ["shape": .int32s, "type": .tensorType, "has_rank": .bool])

  static let quantization = SchemaTable(
    "QuantizationParameters",
    [
      "min": .float32s, "max": .float32s, "scale": .float32s, "zero_point": .int64s,
      "details_type": .member(.quantizationDetails), "details": .union(.quantizationDetails),
      "quantized_dimension": .int32,
    ])

  static let sparsity = SchemaTable(
    "SparsityParameters",
    ["traversal_order": .int32s, "block_map": .int32s, "dim_metadata": .tables(dimension)])

  static let dimension = SchemaTable(
    "DimensionMetadata",
    [
      "format": .scalar(.name(.dimensionType)), "dense_size": .int32,
      "array_segments_type": .member(.sparseIndexVector),
      "array_segments": .union(.sparseIndexVector),
      "array_indices_type": .member(.sparseIndexVector),
      "array_indices": .union(.sparseIndexVector),
    ])
}

extension SchemaUnion {
  static let quantizationDetails = SchemaUnion(
    name: "QuantizationDetails",
    members: [
      SchemaTable("CustomQuantization", ["custom": .vector(.uint8, alignment: 16)]),
      SchemaTable(
        "BlockwiseQuantization",
        [
          "scales": .index(.tensor, .int32), "zero_points": .index(.tensor, .int32),
          "block_size": .int32,
        ]),
      SchemaTable(
        "MultiAxisQuantization",
        [
          "scales": .index(.tensor, .int32), "zero_points": .index(.tensor, .int32),
          "block_size": .int32, "quantized_dimensions": .int32s,
        ]),
    ])

  static let sparseIndexVector = SchemaUnion(
    name: "SparseIndexVector",
    members: [
      SchemaTable("Int32Vector", ["values": .int32s]),
      SchemaTable("Uint16Vector", ["values": .vector(.uint16, alignment: 4)]),
      SchemaTable("Uint8Vector", ["values": .vector(.uint8, alignment: 4)]),
    ])
}
