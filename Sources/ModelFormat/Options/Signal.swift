// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `RFFT2D`, which has none.
public struct Rfft2dOptions: EmptyOptionsTable {
  /// Options without fields.
  public init() {}
}

/// Options of `RANDOM_STANDARD_NORMAL`, `RANDOM_UNIFORM` and `MULTINOMIAL`.
public struct RandomOptions: OptionsTable {
  /// The generator's key.
  public var seed: Int64 = 0
  /// The generator's second key; both zero ask for a random seed.
  public var seed2: Int64 = 0

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    seed = try table.scalar(0, default: seed)
    seed2 = try table.scalar(1, default: seed2)
  }
}

/// Options of `STABLEHLO_RNG_BIT_GENERATOR`.
public struct StablehloRngBitGeneratorOptions: OptionsTable {
  /// The generator's algorithm.
  public var algorithm: RandomAlgorithm = .default

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    algorithm = try table.enumeration(0, default: algorithm, field: "algorithm")
  }
}
