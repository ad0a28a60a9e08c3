// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels
import Tensors

/// What 8-bit kernels need to know of their activations.
struct ByteActivations: Sendable {
  /// The quantized value of real zero.
  let zeroPoint: Int32
  /// Whether quantized values are `Int8` rather than `UInt8`.
  let isSigned: Bool

  /// The byte that stands for zero.
  var quantizedZero: UInt8 { UInt8(truncatingIfNeeded: zeroPoint) }
  /// What makes quantized values unsigned.
  var flip: UInt8 { isSigned ? 0x80 : 0 }
  /// The zero point of the unsigned quantized values.
  var unsignedZeroPoint: Int32 { isSigned ? zeroPoint + 128 : zeroPoint }
}

/// What packed 8-bit weights depend on besides their values.
struct BytePacking {
  /// The zero point of the unsigned quantized values that are multiplied.
  let activationZeroPoint: Int32
  /// The weights' zero point.
  let filterZeroPoint: Int32
  /// Whether weights are `Int8` rather than `UInt8`.
  let filterIsSigned: Bool
  /// Whether sums start at a bias of 32 bits.
  let hasBias: Bool

  /// What packed weights are told apart by.
  var parameters: [Int] {
    [Int(activationZeroPoint), Int(filterZeroPoint), filterIsSigned ? 1 : 0, hasBias ? 1 : 0]
  }

  /// Signed weights for the mere sums of products with signed quantized values.
  static func sums(filterZeroPoint: Int32 = 0) -> BytePacking {
    BytePacking(
      activationZeroPoint: 128, filterZeroPoint: filterZeroPoint, filterIsSigned: true,
      hasBias: false)
  }
}

/// The constants of an 8-bit reference kernel, as far as fast kernels follow them.
///
/// Damaged models may have zero points that no quantized value has, and factors whose shifts mean
/// nothing; for those there is no fast form.
struct ByteFormat: Sendable {
  /// How sums are scaled.
  enum Factors: Sendable {
    /// In fixed point, by one factor or one for each column.
    case fixedPoint([FixedPointMultiplier])
    /// In double precision.
    case real([Double])
  }

  /// The activations.
  let activations: ByteActivations
  /// The weights' zero point.
  let filterZeroPoint: Int32
  /// Whether weights are `Int8` rather than `UInt8`.
  let filterIsSigned: Bool
  private var factors: Factors
  private let output: ByteOutput

  /// How the weights are packed.
  var packing: BytePacking {
    BytePacking(
      activationZeroPoint: activations.unsignedZeroPoint, filterZeroPoint: filterZeroPoint,
      filterIsSigned: filterIsSigned, hasBias: true)
  }
  /// What packed weights depend on.
  var parameters: [Int] { packing.parameters }

  /// The format of these parts; nil where no fast kernel follows it.
  init?<Activation, Weight>(
    _ activation: Activation.Type, _ weight: Weight.Type, inputZeroPoint: Int32,
    filterZeroPoint: Int32, outputZeroPoint: Int32, range: ActivationRange<Int32>,
    factors: Factors
  ) where Activation: FixedWidthInteger, Weight: FixedWidthInteger {
    guard Activation.bitWidth == 8, Weight.bitWidth == 8 else { return nil }
    let quantizedValues = Int32(Activation.min)...Int32(Activation.max)
    let weights = Int32(Weight.min)...Int32(Weight.max)
    guard quantizedValues.contains(inputZeroPoint), quantizedValues.contains(outputZeroPoint),
      quantizedValues.contains(range.lowest), quantizedValues.contains(range.highest),
      range.lowest <= range.highest, weights.contains(filterZeroPoint)
    else { return nil }
    if case .fixedPoint(let factors) = factors {
      guard factors.allSatisfy({ (-31...30).contains($0.exponent) }) else { return nil }
    }
    activations = ByteActivations(zeroPoint: inputZeroPoint, isSigned: Activation.isSigned)
    self.filterZeroPoint = filterZeroPoint
    filterIsSigned = Weight.isSigned
    self.factors = factors
    output = ByteOutput(
      zeroPoint: outputZeroPoint, lowest: range.lowest, highest: range.highest,
      isSigned: Activation.isSigned)
  }

  /// The format of a convolution.
  init?<Activation, Weight>(_ arithmetic: QuantizedConvolution<Activation, Weight>) {
    self.init(
      Activation.self, Weight.self, inputZeroPoint: arithmetic.inputZeroPoint,
      filterZeroPoint: arithmetic.filterZeroPoint, outputZeroPoint: arithmetic.outputZeroPoint,
      range: arithmetic.range, factors: .fixedPoint(arithmetic.multipliers.factors))
  }

  /// The format of a matrix product.
  init?<Activation, Weight, Sum, Result>(
    _ arithmetic: QuantizedFullyConnected<Activation, Weight, Sum, Result>
  ) {
    guard Activation.self == Result.self, Sum.self == Int32.self else { return nil }
    let factors: Factors =
      switch arithmetic.scaling {
      case .real(let factors): .real(factors)
      case .fixedPoint(let multipliers): .fixedPoint(multipliers.factors)
      }
    self.init(
      Activation.self, Weight.self, inputZeroPoint: arithmetic.inputZeroPoint,
      filterZeroPoint: arithmetic.filterZeroPoint, outputZeroPoint: arithmetic.outputZeroPoint,
      range: arithmetic.range, factors: factors)
  }

  /// The format of as many times the columns, one repetition after the other.
  func repeated(_ count: Int) -> ByteFormat {
    var format = self
    switch factors {
    case .fixedPoint(let factors) where factors.count > 1:
      format.factors = .fixedPoint(Array(repeatElement(factors, count: count).joined()))
    case .real(let factors) where factors.count > 1:
      format.factors = .real(Array(repeatElement(factors, count: count).joined()))
    case .fixedPoint, .real: break
    }
    return format
  }

  /// How the sums of the columns from `first` on become quantized values.
  ///
  /// `positions` gives the column, counted from `first`, at each position of the packed order;
  /// `sumBound` is what no sum exceeds in magnitude, and `sumRange` gives the least and the greatest
  /// sum of a column.
  func scaling(
    from first: Int = 0, positions: [Int?], sumBound: Int64,
    sumRange: ByteSumRange? = nil
  ) -> ByteScaling {
    let columns = first == 0 ? positions : positions.map { position in position.map { $0 + first } }
    switch factors {
    case .fixedPoint(let factors):
      return ByteScaling(
        factors: factors.map {
          ByteFactor(significand: $0.significand, exponent: $0.exponent)
        },
        roundsTwice: factors.allSatisfy { $0.rounding == .double },
        shiftsHalvesUp: factors.allSatisfy(\.shiftsHalvesUp), positions: columns,
        sumBound: sumBound, sumRange: sumRange, output: output)
    case .real(let factors):
      return ByteScaling(factors: factors, positions: columns, output: output)
    }
  }
}
