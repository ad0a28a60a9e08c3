// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
package import ReferenceKernels
package import Tensors

/// A node with the values of its inputs, on its own: all that its operator needs to compute it.
///
/// It travels as a record, so that a page computes it again by the reference operator, which is
/// compiled for it from the same sources (`LiveKernels`). Words have 32 bits, little-endian; bytes
/// have their number in front and fill up whole words:
///
///     node   := code rounding productsRoundUp options inputCount tensor… outputCount tensor…
///     tensor := elementType | −1 where an optional input is absent
///               isConstant rank dimension… scaleCount axis scale… zeroPoint… bytes
///
/// `options` are the bytes of a FlatBuffer whose root is the schema's table of options; scales are
/// the bits of floats. Outputs have no bytes.
package struct LiveNode {
  /// A tensor of the node.
  package struct Tensor {
    /// Element type, shape and quantization.
    package let type: TensorType
    /// Whether the model holds the values, which the operator may then see while it prepares.
    package var isConstant: Bool
    /// The values; empty for outputs.
    package var bytes: [UInt8]

    /// A tensor of these parts.
    package init(type: TensorType, isConstant: Bool = false, bytes: [UInt8] = []) {
      self.type = type
      self.isConstant = isConstant
      self.bytes = bytes
    }
  }

  /// Which operator it is.
  package let code: OperatorCode
  /// The bytes of a FlatBuffer with the options; empty for none.
  package let options: [UInt8]
  /// Which rounding quantized kernels follow.
  package let rounding: Rounding
  /// Whether only TFLite's optimized kernels take the node's model; see `PrepareContext`.
  package let productsRoundUp: Bool
  /// What it reads; nil where an optional input is absent.
  package let inputs: [Tensor?]
  /// The declared types of what it writes.
  package let outputs: [TensorType]

  /// A node of these parts.
  package init(
    _ code: OperatorCode, options: [UInt8] = [], rounding: Rounding = .double,
    productsRoundUp: Bool = false, inputs: [Tensor?], outputs: [TensorType]
  ) {
    self.code = code
    self.options = options
    self.rounding = rounding
    self.productsRoundUp = productsRoundUp
    self.inputs = inputs
    self.outputs = outputs
  }

  /// Outputs of more bytes than this are not computed.
  static let outputLimit = 1 << 26
}

extension LiveNode {
  /// The outputs of the node, computed by its reference operator.
  ///
  /// - Throws: `KernelError` as the operator does, and where a shape has another number of values.
  package func evaluate() throws(KernelError) -> [Tensor] { try prepareAndEvaluate().outputs }

  /// The prepared node, and its outputs.
  func prepareAndEvaluate() throws(KernelError) -> (kernel: any Kernel, outputs: [Tensor]) {
    guard let entry = OperatorCatalog.entry(of: code) else {
      throw .unsupported("operator \(code.rawValue) in a page")
    }
    var operands: [PrepareContext.Operand?] = []
    var values: [TensorBytes?] = []
    for (position, input) in inputs.enumerated() {
      guard let input else {
        operands.append(nil)
        values.append(nil)
        continue
      }
      guard input.type.byteCount == input.bytes.count else {
        throw .invalid("more or fewer values than its shape says", .input(position))
      }
      let bytes = TensorBytes(copying: input.bytes)
      values.append(bytes)
      operands.append(
        PrepareContext.Operand(
          input.type, bytes: input.isConstant ? bytes : nil, isConstant: input.isConstant))
    }
    let context = PrepareContext(
      inputs: operands, declaredOutputs: outputs, rounding: rounding,
      productsRoundUp: productsRoundUp)
    let prepared = try entry.prepare(context, options: options)
    var results: [TensorBytes] = []
    for type in prepared.outputs {
      guard let byteCount = type.byteCount, byteCount <= Self.outputLimit else {
        throw .unsupported("an output of more than \(Self.outputLimit) bytes")
      }
      results.append(TensorBytes(zeroed: byteCount))
    }
    let frame = TensorFrame(
      inputs: values, outputs: results,
      scratch: prepared.scratch.map { TensorBytes(zeroed: $0) })
    try prepared.kernel.evaluate(frame)
    var outputs: [Tensor] = []
    for (type, bytes) in zip(prepared.outputs, results) {
      outputs.append(Tensor(type: type, bytes: bytes.array()))
    }
    return (prepared.kernel, outputs)
  }
}

extension LiveNode {
  /// The node in a record.
  ///
  /// - Throws: `KernelError` where the record is malformed.
  package init(record: [UInt8]) throws(KernelError) {
    var reader = RecordReader(record.span)
    let number = try reader.word()
    guard let code = OperatorCode(rawValue: number) else {
      throw .unsupported("operator \(number) in a page")
    }
    self.code = code
    rounding = try reader.word() == 0 ? .double : .single
    productsRoundUp = try reader.word() != 0
    options = try reader.byteString()
    var inputs: [Tensor?] = []
    for _ in 0..<(try reader.count()) { inputs.append(try Tensor(&reader)) }
    var outputs: [TensorType] = []
    for _ in 0..<(try reader.count()) {
      guard let output = try Tensor(&reader) else { throw .invalid("output is missing") }
      outputs.append(output.type)
    }
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The node's record.
  package var record: [UInt8] {
    var writer = RecordWriter()
    writer.append(code.rawValue)
    writer.append(rounding == .double ? 0 : 1)
    writer.append(productsRoundUp ? 1 : 0)
    writer.append(byteString: options)
    writer.append(count: inputs.count)
    for input in inputs {
      if let input { input.write(to: &writer) } else { writer.append(-1) }
    }
    writer.append(count: outputs.count)
    for output in outputs { Tensor(type: output).write(to: &writer) }
    return writer.bytes
  }

  /// What a page gets for a record: the word 0 and the outputs as tensors, their number in front;
  /// or the word 1 and the text of an error.
  package static func answer(to record: [UInt8]) -> [UInt8] {
    var writer = RecordWriter()
    do throws(KernelError) {
      let outputs = try LiveNode(record: record).evaluate()
      writer.append(0)
      writer.append(count: outputs.count)
      for output in outputs { output.write(to: &writer) }
    } catch {
      writer.append(1)
      writer.append(byteString: Array(error.description.utf8))
    }
    return writer.bytes
  }
}

extension LiveNode.Tensor {
  /// The tensor in a record; nil for one that is absent.
  fileprivate init?(_ reader: inout RecordReader) throws(KernelError) {
    let number = try reader.word()
    guard number != -1 else { return nil }
    guard let code = Int8(exactly: number), let elementType = ElementType(rawValue: code) else {
      throw .invalid("no element type \(number)")
    }
    isConstant = try reader.word() != 0
    let rank = try reader.count()
    let shape = try Shape.checked(try reader.words(rank).map { Int($0) })
    let scaleCount = try reader.count()
    let axis = Int(try reader.word())
    let scales = try reader.words(scaleCount).map { Float(bitPattern: UInt32(bitPattern: $0)) }
    let zeroPoints = try reader.words(scaleCount).map { Int64($0) }
    type = TensorType(
      elementType, shape,
      quantization: scales.isEmpty
        ? nil : Quantization(scales: scales, zeroPoints: zeroPoints, axis: axis))
    bytes = try reader.byteString()
  }

  fileprivate func write(to writer: inout RecordWriter) {
    writer.append(Int32(type.elementType.rawValue))
    writer.append(isConstant ? 1 : 0)
    writer.append(count: type.shape.rank)
    for length in type.shape.dimensions { writer.append(count: length) }
    writer.append(count: type.quantization?.scaleCount ?? 0)
    writer.append(count: type.quantization?.axis ?? 0)
    for scale in type.quantization?.scales ?? [] {
      writer.append(Int32(bitPattern: scale.bitPattern))
    }
    for zeroPoint in type.quantization?.zeroPoints ?? [] {
      writer.append(Int32(clamping: zeroPoint))
    }
    writer.append(byteString: bytes)
  }
}
