// SPDX-License-Identifier: Apache-2.0

package import ModelSchema
public import Tensors

/// What an operator sees of its node while it prepares.
public struct PrepareContext: Sendable {
  /// One input of the node.
  public struct Operand: Sendable {
    /// Element type, shape and quantization.
    public let type: TensorType
    /// The values, where they are known: constants, and results computed already.
    public let bytes: TensorBytes?
    /// Whether the values are part of the model: the same for every inference.
    public let isConstant: Bool
    /// Whether the tensor keeps its values from one invocation to the next.
    public let isVariable: Bool
    /// Where the stored values belong, if the model stores only those that are not zero.
    package let sparsity: SparsityParameters?
    /// Whether the model stores only the values that are not zero, even if `bytes` has them all.
    package var isSparse = false
    /// The scales, if the rows are quantized in blocks: the type has no quantization then.
    package var blockScales: BlockScales?

    /// An input of this type, with its values where they are known.
    public init(
      _ type: TensorType, bytes: TensorBytes? = nil, isConstant: Bool = false,
      isVariable: Bool = false
    ) {
      self.type = type
      self.bytes = bytes
      self.isConstant = isConstant
      self.isVariable = isVariable
      sparsity = nil
    }

    /// A constant of this type of which only some values are stored.
    package init(
      _ type: TensorType, bytes: TensorBytes?, sparsity: SparsityParameters
    ) {
      self.type = type
      self.bytes = bytes
      isConstant = true
      isVariable = false
      self.sparsity = sparsity
    }
  }

  /// All that is known, as one object: contexts are handed on and kept, and the references to each
  /// part would be counted every time.
  private final class Facts: Sendable {
    let inputs: [Operand?]
    let declaredOutputs: [TensorType]
    let intermediates: [TensorType?]
    let rounding: Rounding
    let productsRoundUp: Bool
    let valueByteLimit: Int
    let subgraphOperators: SubgraphOperators

    init(
      _ inputs: [Operand?], _ declaredOutputs: [TensorType], _ intermediates: [TensorType?],
      _ rounding: Rounding, productsRoundUp: Bool, valueByteLimit: Int,
      subgraphOperators: @escaping SubgraphOperators
    ) {
      self.inputs = inputs
      self.declaredOutputs = declaredOutputs
      self.intermediates = intermediates
      self.rounding = rounding
      self.productsRoundUp = productsRoundUp
      self.valueByteLimit = valueByteLimit
      self.subgraphOperators = subgraphOperators
    }
  }

  /// The operators of the model's subgraph at an index, in order; nil where there is none.
  package typealias SubgraphOperators = @Sendable (Int) -> [OperatorIdentity]?

  private let facts: Facts

  /// The node's inputs in order; nil where an optional one is absent.
  public var inputs: [Operand?] { facts.inputs }
  /// The types that the model declares for the outputs.
  ///
  /// Their quantization is binding; their shapes are what the converter believed.
  public var declaredOutputs: [TensorType] { facts.declaredOutputs }
  /// The types that the model declares for values inside the node; nil where one is absent.
  ///
  /// Quantized sequence operators read the quantization of their intermediate results from them.
  public var intermediates: [TensorType?] { facts.intermediates }
  /// Which rounding quantized kernels follow.
  public var rounding: Rounding { facts.rounding }
  /// Whether only TFLite's optimized kernels take the model: their 8-bit CONV_2D and
  /// FULLY_CONNECTED scale sums in fixed point, the second rounding half up.
  package var productsRoundUp: Bool { facts.productsRoundUp }
  /// The most bytes of an input whose values an operator may ask for, as what it makes of them
  /// takes a multiple of their memory.
  package var valueByteLimit: Int { facts.valueByteLimit }
  /// The operators of a subgraph: operators whose computation is one recognize it by what it
  /// consists of.
  package var subgraphOperators: SubgraphOperators { facts.subgraphOperators }

  /// A node with these tensors.
  public init(
    inputs: [Operand?], declaredOutputs: [TensorType], intermediates: [TensorType?] = [],
    rounding: Rounding = .double
  ) {
    self.init(
      inputs: inputs, declaredOutputs: declaredOutputs, intermediates: intermediates,
      rounding: rounding, productsRoundUp: false)
  }

  /// A node with these tensors, in a model of which this is known.
  package init(
    inputs: [Operand?], declaredOutputs: [TensorType], intermediates: [TensorType?] = [],
    rounding: Rounding, productsRoundUp: Bool, valueByteLimit: Int = .max,
    subgraphOperators: @escaping SubgraphOperators = { _ in nil }
  ) {
    facts = Facts(
      inputs, declaredOutputs, intermediates, rounding, productsRoundUp: productsRoundUp,
      valueByteLimit: valueByteLimit, subgraphOperators: subgraphOperators)
  }

  /// The same node with what its inputs hold now as constants; `values` are by position.
  package func fixing(_ values: [(position: Int, bytes: TensorBytes)]) -> PrepareContext {
    var fixed = inputs
    for (position, bytes) in values where inputs.indices.contains(position) {
      fixed[position] = inputs[position].map {
        Operand($0.type, bytes: bytes, isConstant: true)
      }
    }
    return PrepareContext(
      inputs: fixed, declaredOutputs: declaredOutputs, intermediates: intermediates,
      rounding: rounding, productsRoundUp: productsRoundUp, valueByteLimit: valueByteLimit,
      subgraphOperators: subgraphOperators)
  }

  /// The type of a required input.
  ///
  /// - Throws: `KernelError` where the node has no such input.
  public func input(_ position: Int) throws(KernelError) -> TensorType {
    guard let type = optionalInput(position) else {
      throw .invalid("required input is missing", .input(position))
    }
    return type
  }

  /// The type of an optional input; nil where it is absent.
  public func optionalInput(_ position: Int) -> TensorType? {
    position < inputs.count ? inputs[position]?.type : nil
  }

  /// The declared type of an output.
  ///
  /// - Throws: `KernelError` where the node has no such output.
  public func declaredOutput(_ position: Int = 0) throws(KernelError) -> TensorType {
    guard position < declaredOutputs.count else {
      throw .invalid("output is missing", .output(position))
    }
    return declaredOutputs[position]
  }

  /// Checks how many inputs and outputs the node has.
  ///
  /// - Throws: `KernelError` for a count outside the range.
  public func expect(
    inputs inputRange: ClosedRange<Int>, outputs outputCount: Int = 1
  ) throws(KernelError) {
    guard inputRange.contains(inputs.count) else {
      throw .invalid("\(inputs.count) inputs, wanted \(Self.text(inputRange))")
    }
    guard declaredOutputs.count == outputCount else {
      throw .invalid("\(declaredOutputs.count) outputs, wanted \(outputCount)")
    }
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    if range.count == 1 { return "\(range.lowerBound)" }
    if range.upperBound == Int.max { return "at least \(range.lowerBound)" }
    return "\(range.lowerBound) to \(range.upperBound)"
  }

  /// The values of an input.
  ///
  /// - Throws: `KernelError` where the input is missing, of another element type, or not known
  ///   yet (`.valueNeeded`).
  public func values<Element: TensorElement>(
    _ position: Int, as type: Element.Type = Element.self
  ) throws(KernelError) -> [Element] {
    guard position < inputs.count, let operand = inputs[position] else {
      throw .invalid("required input is missing", .input(position))
    }
    guard operand.type.elementType == Element.elementType else {
      throw .elementType(operand.type.elementType, .input(position))
    }
    guard let bytes = operand.bytes else {
      throw KernelError(.valueNeeded(position), "value must be known first", .input(position))
    }
    guard bytes.byteCount <= valueByteLimit else {
      throw .invalid(
        "\(bytes.byteCount) bytes that decide shapes, the limit leaves room for \(valueByteLimit)",
        .input(position))
    }
    let span = bytes.span(as: Element.self)
    guard span.count >= operand.type.shape.elementCount else {
      throw .invalid("fewer values than its shape says", .input(position))
    }
    var values: [Element] = []
    values.reserveCapacity(operand.type.shape.elementCount)
    for index in 0..<operand.type.shape.elementCount { values.append(span[index]) }
    return values
  }

  /// The values of an integer input (axes, sizes, paddings) of any integer type up to 64 bits.
  ///
  /// - Throws: `KernelError` as `values(_:as:)` does.
  public func integers(_ position: Int) throws(KernelError) -> [Int] {
    switch try input(position).elementType {
    case .int32: try values(position, as: Int32.self).map(Int.init)
    case .int64: try values(position, as: Int64.self).map(Int.init)
    case .int16: try values(position, as: Int16.self).map(Int.init)
    case .int8: try values(position, as: Int8.self).map(Int.init)
    case .uint8: try values(position, as: UInt8.self).map(Int.init)
    case let other: throw .elementType(other, .input(position))
    }
  }
}

extension TensorType {
  /// The per-tensor quantization that a quantized operand must have.
  ///
  /// - Throws: `KernelError` where there is none, or slices differ.
  public func affine(_ tensor: KernelError.Tensor) throws(KernelError) -> Affine {
    guard let affine = quantization?.perTensor else {
      throw .invalid("per-tensor quantization parameters are missing", tensor)
    }
    guard affine.scale.isFinite, affine.scale > 0 else {
      throw .invalid("quantization scale \(affine.scale), wanted a positive number", tensor)
    }
    return affine
  }
}

extension Shape {
  /// A shape computed from operands.
  ///
  /// - Throws: `KernelError` where the dimensions are negative or too large.
  public static func checked(
    _ dimensions: [Int], _ tensor: KernelError.Tensor = .output(0)
  ) throws(KernelError) -> Shape {
    do throws(ShapeError) { return try Shape(dimensions) } catch {
      throw .invalid(error.description, tensor)
    }
  }

  /// The axis that `axis` means, negative ones counted from the end.
  ///
  /// - Throws: `KernelError` where there is no such axis.
  public func axis(_ axis: Int, _ tensor: KernelError.Tensor = .input(0)) throws(KernelError) -> Int
  {
    let (wrapped, _) = axis.addingReportingOverflow(axis < 0 ? rank : 0)
    guard wrapped >= 0, wrapped < rank else {
      throw .invalid("axis \(axis) of a tensor of rank \(rank)", tensor)
    }
    return wrapped
  }
}
