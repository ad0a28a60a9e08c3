// SPDX-License-Identifier: Apache-2.0

import Tensors

/// An enumeration of the schema: names for numbers from 0 on.
package struct SchemaEnumeration: Sendable {
  /// The schema's name.
  package let name: String
  /// The bytes of a stored number.
  package let byteCount: Int
  /// The schema's names, the first for 0.
  package let names: [String]

  /// The name for `number`; nil where the schema has none.
  package func name(for number: Int64) -> String? {
    Int(exactly: number).flatMap { names.indices.contains($0) ? names[$0] : nil }
  }
}

extension SchemaEnumeration {
  static let tensorType = SchemaEnumeration(
    name: "TensorType", byteCount: 1,
    names: ElementType.allCases.map(\.schemaName) + ["FLOAT8_E4M3FN", "FLOAT8_E5M2"])
  static let builtinOperator = SchemaEnumeration(
    name: "BuiltinOperator", byteCount: 4, names: OperatorCode.allCases.map(\.schemaName))
  /// The narrow form of the same, which older files have alone.
  static let narrowOperator = SchemaEnumeration(
    name: "BuiltinOperator", byteCount: 1,
    names: OperatorCode.allCases.prefix(128).map(\.schemaName))
  static let padding = SchemaEnumeration(name: "Padding", byteCount: 1, names: ["SAME", "VALID"])
  static let activation = SchemaEnumeration(
    name: "ActivationFunctionType", byteCount: 1,
    names: ["NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"])
  static let dimensionType = SchemaEnumeration(
    name: "DimensionType", byteCount: 1, names: ["DENSE", "SPARSE_CSR"])
  static let projection = SchemaEnumeration(
    name: "LSHProjectionType", byteCount: 1, names: ["UNKNOWN", "SPARSE", "DENSE"])
  static let weightsFormat = SchemaEnumeration(
    name: "FullyConnectedOptionsWeightsFormat", byteCount: 1,
    names: ["DEFAULT", "SHUFFLED4x16INT8"])
  static let lstmKernel = SchemaEnumeration(
    name: "LSTMKernelType", byteCount: 1, names: ["FULL", "BASIC"])
  static let combiner = SchemaEnumeration(
    name: "CombinerType", byteCount: 1, names: ["SUM", "MEAN", "SQRTN"])
  static let mirrorPad = SchemaEnumeration(
    name: "MirrorPadMode", byteCount: 1, names: ["REFLECT", "SYMMETRIC"])
  static let optionsFormat = SchemaEnumeration(
    name: "CustomOptionsFormat", byteCount: 1, names: ["FLEXBUFFERS"])
  static let windowFunction = SchemaEnumeration(
    name: "ReduceWindowFunction", byteCount: 4,
    names: ["UNSUPPORTED", "ADD", "MUL", "MINIMUM", "MAXIMUM", "ALL", "ANY"])
  static let precision = SchemaEnumeration(
    name: "StablehloPrecisionConfig", byteCount: 4, names: ["DEFAULT", "HIGH", "HIGHEST"])
  static let comparisonDirection = SchemaEnumeration(
    name: "StablehloComparisonDirection", byteCount: 4,
    names: ["EQ", "NE", "GE", "GT", "LE", "LT"].map { "STABLEHLO_COMPARISON_DIRECTION_\($0)" })
  static let comparisonType = SchemaEnumeration(
    name: "StablehloComparisonType", byteCount: 4,
    names: ["NOTYPE", "FLOAT", "FLOAT_TOTAL_ORDER", "SIGNED", "UNSIGNED"].map {
      "STABLEHLO_COMPARISON_TYPE_\($0)"
    })
  static let randomAlgorithm = SchemaEnumeration(
    name: "RngAlgorithm", byteCount: 1, names: ["DEFAULT", "PHILOX", "THREEFRY"])
}
