// SPDX-License-Identifier: Apache-2.0

import ModelFormat
public import Tensors

extension Interpreter {
  /// The inputs in the model's order, or the signature's.
  public var inputs: [TensorInfo] {
    // Who sets one input after the other asks each time.
    if let known = knownInputs, known.shapeVersion == root.shapeVersion { return known.inputs }
    let inputs = inputTensors.map { argument in
      let declared = subgraph.tensors[argument.tensor].type
      let resized = root.inputShapes[argument.tensor].map { declared.with(shape: $0) }
      return info(argument.name, argument.tensor, type: resized ?? declared)
    }
    knownInputs = (root.shapeVersion, inputs)
    return inputs
  }

  /// What the input at a position is.
  ///
  /// - Throws: `InferenceError` where there is no such input.
  func inputInfo(_ position: Int) throws(InferenceError) -> TensorInfo {
    let inputs = inputs
    guard inputs.indices.contains(position) else {
      throw .invalidRequest("no input \(position): the model has \(inputs.count)")
    }
    return inputs[position]
  }

  /// The outputs in the model's order, or the signature's.
  ///
  /// Their types are what planning found, once that has been done.
  public var outputs: [TensorInfo] {
    outputTensors.map { argument in
      let declared = subgraph.tensors[argument.tensor].type
      let type = table.map { $0.types[argument.tensor] } ?? declared
      return info(argument.name, argument.tensor, type: type)
    }
  }

  /// The position of the input with this name: the tensor's own, or the signature's, also if that
  /// is the model's only one and was not asked for.
  public func inputPosition(named name: String) -> Int? {
    inputs.firstIndex { $0.isCalled(name) }
      ?? position(of: name, among: inputTensors, onlySignature?.inputs)
  }

  /// The position of the output with this name: the tensor's own, or the signature's, also if that
  /// is the model's only one and was not asked for.
  public func outputPosition(named name: String) -> Int? {
    outputs.firstIndex { $0.isCalled(name) }
      ?? position(of: name, among: outputTensors, onlySignature?.outputs)
  }

  private var onlySignature: ModelFile.Signature? {
    let signatures = model.file.signatures
    guard !hasSignature, signatures.count == 1, signatures[0].subgraph == subgraphIndex else {
      return nil
    }
    return signatures[0]
  }

  private func position(
    of name: String, among tensors: [BoundTensor], _ arguments: [ModelFile.Signature.Argument]?
  ) -> Int? {
    guard let argument = arguments?.first(where: { $0.name == name }) else { return nil }
    return tensors.firstIndex { $0.tensor == argument.tensor }
  }

  private func info(_ name: String, _ tensor: Int, type: TensorType?) -> TensorInfo {
    TensorInfo(
      index: tensor, name: subgraph.tensors[tensor].name, argument: hasSignature ? name : nil,
      type: type, shapeSignature: subgraph.tensors[tensor].shapeSignature)
  }

  /// Copies `values` into an input.
  ///
  /// - Throws: `InferenceError` where the number of values or their type is not the input's.
  public func setInput<Element: TensorElement>(
    _ position: Int, _ values: [Element]
  ) throws(InferenceError) {
    let location = try inputBytes(position, of: Element.elementType)
    guard location.copy(values) else {
      let count = location.byteCount / MemoryLayout<Element>.stride
      throw .invalidRequest("\(values.count) values for input \(position) of \(count)")
    }
  }

  /// Copies `bytes`, little-endian values in row-major order, into an input.
  ///
  /// Strings are given in TFLite's form: count, offsets, characters.
  ///
  /// - Throws: `InferenceError` where the number of bytes is not the input's.
  public func setInput(_ position: Int, bytes: [UInt8]) throws(InferenceError) {
    try setInput(position, bytes: bytes.span)
  }

  /// Copies `bytes`, little-endian values in row-major order, into an input; strings in TFLite's form.
  ///
  /// - Throws: `InferenceError` where the number of bytes is not the input's.
  public func setInput(_ position: Int, bytes: Span<UInt8>) throws(InferenceError) {
    let info = try inputInfo(position)
    if info.type?.byteCount == nil {
      try prepare()
      root.table.bytes[info.index] = TensorBytes(copying: bytes)
      return
    }
    let location = try inputBytes(position)
    guard location.copy(bytes) else {
      throw .invalidRequest(
        "\(bytes.count) bytes for input \(position) of \(location.byteCount)")
    }
  }

  /// Gives `body` the values of an input, to be written.
  ///
  /// - Throws: `InferenceError` where `Element` is not the input's type, and what `body` throws.
  public func withInput<Element: TensorElement, Result>(
    _ position: Int, as type: Element.Type = Element.self,
    _ body: (inout MutableSpan<Element>) throws(InferenceError) -> Result
  ) throws(InferenceError) -> Result {
    let location = try inputBytes(position, of: Element.elementType)
    var span = location.mutableSpan(as: Element.self)
    return try body(&span)
  }

  /// Where the values of an input lie, which must be of this type.
  private func inputBytes(
    _ position: Int, of elementType: ElementType
  ) throws(InferenceError) -> TensorBytes {
    let location = try inputBytes(position)
    let wanted = try inputInfo(position).type?.elementType
    guard wanted == elementType else {
      throw .invalidRequest(
        "input \(position) is \(wanted?.schemaName ?? "unknown"), not \(elementType.schemaName)")
    }
    return location
  }

  private func inputBytes(_ position: Int) throws(InferenceError) -> TensorBytes {
    let info = try inputInfo(position)
    try prepare()
    guard let table, let location = table.bytes[info.index],
      [.input, .variable].contains(table.sources[info.index])
    else {
      throw .invalidRequest("input \(position) has a fixed value")
    }
    return location
  }

  /// Whether the main graph's outputs are those of a run.
  package var hasRun: Bool { root.hasRun }

  /// The type of an output after a run.
  ///
  /// - Throws: `InferenceError` before the first run, and where there is no such output.
  public func outputType(_ position: Int) throws(InferenceError) -> TensorType {
    guard outputTensors.indices.contains(position) else {
      throw .invalidRequest("no output \(position): the model has \(outputTensors.count)")
    }
    guard root.hasRun, let type = table?.types[outputTensors[position].tensor] else {
      throw .invalidRequest("output \(position) has no value before the model has run")
    }
    return type
  }

  private func location(ofOutput position: Int) throws(InferenceError) -> TensorBytes {
    _ = try outputType(position)
    guard let location = table?.bytes[outputTensors[position].tensor] else {
      throw .invalidRequest("output \(position) has no value")
    }
    return location
  }

  /// Gives `body` the values of an output in row-major order.
  ///
  /// - Throws: `InferenceError` before the first run and where `Element` is not the output's type.
  public func withOutput<Element: TensorElement, Result>(
    _ position: Int, as type: Element.Type = Element.self,
    _ body: (Span<Element>) throws(InferenceError) -> Result
  ) throws(InferenceError) -> Result {
    let location = try location(ofOutput: position)
    let stored = try outputType(position).elementType
    guard stored == Element.elementType else {
      throw .invalidRequest(
        "output \(position) is \(stored.schemaName), not \(Element.elementType.schemaName)")
    }
    return try body(location.span(as: Element.self))
  }

  /// The values of an output in row-major order.
  ///
  /// - Throws: `InferenceError` as `withOutput` does.
  public func output<Element: TensorElement>(
    _ position: Int, as type: Element.Type = Element.self
  ) throws(InferenceError) -> [Element] {
    try withOutput(position, as: type) { span in
      guard !span.isEmpty else { return [] }
      var values = [Element](repeating: span[0], count: span.count)
      var target = values.mutableSpan
      for index in span.indices { target[index] = span[index] }
      return values
    }
  }

  /// Gives `body` the bytes of an output: little-endian values in row-major order.
  ///
  /// - Throws: `InferenceError` before the first run and where there is no such output, and what `body`
  ///   throws.
  public func withOutputBytes<Result>(
    _ position: Int, _ body: (Span<UInt8>) throws(InferenceError) -> Result
  ) throws(InferenceError) -> Result {
    let location = try location(ofOutput: position)
    return try body(location.span(as: UInt8.self))
  }

  /// The bytes of an output: little-endian values in row-major order.
  ///
  /// - Throws: `InferenceError` before the first run and where there is no such output.
  public func outputBytes(_ position: Int) throws(InferenceError) -> [UInt8] {
    try location(ofOutput: position).array()
  }

  /// The type and bytes of any tensor after a run; nil for tensors without a value.
  ///
  /// Unless `Options.keepsAllTensors` is set, the memory of activations is reused, and only
  /// inputs, outputs, constants and variables are still there.
  public func tensor(_ index: Int) -> (type: TensorType, bytes: [UInt8])? {
    guard let table, table.types.indices.contains(index), let type = table.types[index],
      let bytes = table.bytes[index]
    else { return nil }
    return (type, bytes.array())
  }
}
