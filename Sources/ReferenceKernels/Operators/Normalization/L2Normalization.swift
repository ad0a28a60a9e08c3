// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let l2Normalization = CatalogEntry(
    .l2Normalization, chapter: .normalization, formula: "y = x / max(√Σ x², 10⁻⁶)",
    versions: .upTo(2),
    variants: "f32 u8_q i8_q", optimized: "f32 i8_q u8_q",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in L2Normalization(options: try node.options()) }
}

/// `L2_NORMALIZATION`: each row divided by its length.
///
/// A row is the innermost axis. For 8-bit tensors see `QuantizedL2NormalizationKernel`.
/// TFLite: `l2norm.cc`, `reference/l2normalization.h`, `integer_ops/l2normalization.h`.
struct L2Normalization: Operator {
  let options: L2NormOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    guard options.fusedActivation == .none else {
      throw .unsupported("fused activation \(options.fusedActivation)")
    }
    guard let rowLength = input.shape.dimensions.last else {
      throw .rank(0, wanted: "at least 1", .input(0))
    }
    let type = output.with(shape: input.shape)
    switch input.elementType {
    case .float32: return Prepared(type, L2NormalizationKernel(rowLength: rowLength))
    case .uint8:
      try expectOutput(output, zeroPoint: 128)
      return Prepared(type, try quantized(node, rowLength, as: UInt8.self))
    case .int8:
      try expectOutput(output, zeroPoint: 0)
      return Prepared(type, try quantized(node, rowLength, as: Int8.self))
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func expectOutput(_ output: TensorType, zeroPoint: Int32) throws(KernelError) {
    guard try output.affine(.output(0)) == Affine(scale: 1.0 / 128, zeroPoint: zeroPoint) else {
      throw .invalid("scale must be 1/128 and zero point \(zeroPoint)", .output(0))
    }
  }

  private func quantized<Quantized: TensorElement & FixedWidthInteger>(
    _ node: PrepareContext, _ rowLength: Int, as type: Quantized.Type
  ) throws(KernelError) -> any Kernel {
    QuantizedL2NormalizationKernel<Quantized>(
      zeroPoint: try node.input(0).quantization?.perTensor?.zeroPoint ?? 0,
      rowLength: rowLength, rounding: node.rounding)
  }
}

/// The float loop of `L2_NORMALIZATION`.
package final class L2NormalizationKernel: SteppedKernel {
  /// Rows that are shorter are divided by this.
  package static let leastLength: Float = 1e-6

  /// Elements in a row.
  package let rowLength: Int

  /// The loop over rows of `rowLength` elements.
  package init(rowLength: Int) { self.rowLength = rowLength }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Float.self)
    var output = frame.output(0, as: Float.self)
    guard rowLength > 0 else { return }
    for start in stride(from: 0, to: input.count, by: rowLength) {
      let row = input.extracting(start..<start + rowLength)
      steps.about(start..<start + rowLength)
      var squares: Float = 0
      for i in row.indices { squares += steps.term(row[i] * row[i], of: row, i) }
      let root = steps.squareRoot(steps.accumulator(squares, of: "squares"))
      let least = Self.leastLength
      let length =
        root < least ? steps.note("length", "\(root), at least \(least)", least) : root
      for i in row.indices {
        steps.about(start + i)
        output[start + i] = steps.quotient(row[i], length)
      }
    }
  }
}

/// The loop of `L2_NORMALIZATION` for 8-bit tensors.
///
///     y = z_y + 128 · (q − z_x) / √Σ (q − z_x)²
///
/// The input's scale cancels out. The reciprocal root is an integer Newton iteration, see
/// `FixedPoint.inverseSquareRoot`.
package struct QuantizedL2NormalizationLoop<Quantized>: SteppedLoop
where Quantized: TensorElement & FixedWidthInteger {
  package static var family: LoopFamily? { LoopFamily(.normalization, Quantized.elementType) }

  /// The quantized value of real zero in the input.
  package let zeroPoint: Int32
  /// Elements in a row.
  package let rowLength: Int
  /// How products are rounded.
  package let rounding: Rounding

  /// The loop over rows of `rowLength` quantized values.
  package init(zeroPoint: Int32, rowLength: Int, rounding: Rounding) {
    self.zeroPoint = zeroPoint
    self.rowLength = rowLength
    self.rounding = rounding
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let input = frame.input(0, as: Quantized.self)
    var output = frame.output(0, as: Quantized.self)
    guard rowLength > 0 else { return }
    for start in stride(from: 0, to: input.count, by: rowLength) {
      let row = input.extracting(start..<start + rowLength)
      steps.about(start..<start + rowLength)
      var squares: Int32 = 0
      for i in row.indices {
        let distance = Int32(row[i]) &- zeroPoint
        squares &+= steps.term(distance &* distance, of: row, i)
      }
      squares = steps.accumulator(squares, of: "squares")
      let factor = InverseLength(squares: squares, isSigned: Quantized.isSigned, rounding: rounding)
      for i in row.indices {
        steps.about(start + i)
        let distance = steps.difference(Int32(row[i]), zeroPoint, "distance")
        let quantized = factor.quantized(distance, &steps)
        output[start + i] = steps.store(quantized, Quantized(clamping: quantized))
      }
    }
  }
}

/// What the differences of a row's quantized values are multiplied by.
///
/// uint8 differences are multiplied by 128 first, int8 ones by the factor's exponent.
package struct InverseLength: Sendable {
  private let factor: FixedPointMultiplier
  private let isSigned: Bool

  /// The factor of a row with this sum of squares.
  package init(squares: Int32, isSigned: Bool, rounding: Rounding) {
    let root = FixedPoint.inverseSquareRoot(squares, rounding: rounding)
    let exponent = isSigned ? root.exponent + 7 : root.exponent
    factor = FixedPointMultiplier(
      significand: root.significand, exponent: exponent, rounding: rounding)
    self.isSigned = isSigned
  }

  /// What a difference becomes, not yet limited to the element type.
  @inline(__always)
  package func quantized(_ difference: Int32, _ steps: inout some Steps) -> Int32 {
    if isSigned { return steps.scale(difference, by: factor, "128 / √sum, by Newton steps") }
    let widened = steps.product(difference, 128)
    return steps.addZeroPoint(
      steps.scale(widened, by: factor, "1 / √sum, by Newton steps"), 128)
  }

  /// What a difference becomes, not yet limited to the element type.
  package func quantized(_ difference: Int32) -> Int32 {
    var steps = NoSteps()
    return quantized(difference, &steps)
  }
}

/// The kernel of `QuantizedL2NormalizationLoop`.
package typealias QuantizedL2NormalizationKernel<Quantized> = LoopKernel<
  QuantizedL2NormalizationLoop<Quantized>
> where Quantized: TensorElement & FixedWidthInteger

extension LoopKernel {
  /// The loop over rows of `rowLength` quantized values.
  package convenience init<Quantized>(zeroPoint: Int32, rowLength: Int, rounding: Rounding)
  where
    Loop == QuantizedL2NormalizationLoop<Quantized>, Quantized: TensorElement & FixedWidthInteger
  {
    self.init(
      QuantizedL2NormalizationLoop(zeroPoint: zeroPoint, rowLength: rowLength, rounding: rounding))
  }
}
