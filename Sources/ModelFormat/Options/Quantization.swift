// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers
public import Tensors

/// Options of `CAST`.
public struct CastOptions: OptionsTable {
  /// The element type of the input; the tensor decides.
  public var inputType: ElementType = .float32
  /// The element type of the output; the tensor decides.
  public var outputType: ElementType = .float32

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    inputType = try table.enumeration(0, default: inputType, field: "in_data_type")
    outputType = try table.enumeration(1, default: outputType, field: "out_data_type")
  }
}

/// Options of `FAKE_QUANT`.
public struct FakeQuantOptions: OptionsTable {
  /// The smallest real value.
  public var minimum: Float = 0
  /// The largest real value.
  public var maximum: Float = 0
  /// Bits of a code.
  public var bitCount: Int32 = 0
  /// Whether the lowest code is left out.
  public var narrowRange: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    minimum = try table.float(0, default: minimum)
    maximum = try table.float(1, default: maximum)
    bitCount = try table.scalar(2, default: bitCount)
    narrowRange = try table.bool(3, default: narrowRange)
  }
}

/// Options of `DEQUANTIZE`, which has none.
public struct DequantizeOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `QUANTIZE`, which has none.
public struct QuantizeOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `DENSIFY`, which has none.
public struct DensifyOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}
