// SPDX-License-Identifier: Apache-2.0

package import Martlet
package import MetadataFormat
import ModelFormat
package import Tensors
package import ImageInputs

/// The values that a command line gives a model's inputs.
package struct RunInputs {
  /// Files as given: `[NAME=]FILE`.
  package var files: [String]
  /// Whether the command line gives any values.
  package var areGiven: Bool { !files.isEmpty || fill != nil }
  /// What fills inputs without a file; nil where each must have one.
  package let fill: InputFill?
  /// Shapes by input name.
  package let shapes: [(name: String, shape: Shape)]
  /// How images become values.
  package let images: Preprocessing

  /// The options that give a model its inputs, which several commands share.
  package static let descriptions: [OptionDescription] =
    [
      .value(
        "input", letter: "i", "[name=]file", "Values of an input; may be given for each.",
        isRepeated: true, completion: .files([])),
      .choice("fill", InputFill.Kind.words, "Make up the values of inputs without a file."),
      .value("seed", "n", "Where --fill random begins.", defaultValue: "0"),
      signature,
      .value(
        "resize", "name=1x224x224x3", "Give an input another shape; may be given for each.",
        isRepeated: true),
    ] + ImageOptions.descriptions

  /// `--signature`.
  package static let signature = OptionDescription.value(
    "signature", "key", "Run this signature instead of the main graph.")

  /// The inputs as `arguments` give them; `madeUp` fills those without a file unless `--fill`
  /// says otherwise.
  package init(_ arguments: ParsedArguments, madeUp: InputFill.Kind?) throws(CommandError) {
    files = arguments.allValues("input")
    let seed = try arguments.integer("seed", default: 0, in: 0...Int.max)
    images = try ImageOptions(arguments).preprocessing
    let kind = arguments.value("fill").flatMap(InputFill.Kind.init) ?? madeUp
    fill = kind.map { InputFill($0, seed: UInt64(seed)) }
    var shapes: [(name: String, shape: Shape)] = []
    for text in arguments.allValues("resize") { shapes.append(try Self.shape(text, arguments)) }
    self.shapes = shapes
  }

  /// `NAME=1x2x3` in parts.
  private static func shape(
    _ text: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> (String, Shape) {
    guard let sign = text.lastIndex(of: "="), sign > text.startIndex else {
      throw arguments.usage("'\(text)' for '--resize', wanted NAME=1x2x3")
    }
    let lengths = text[text.index(after: sign)...].split(
      separator: "x", omittingEmptySubsequences: false)
    let dimensions = lengths.compactMap { Int($0) }
    guard dimensions.count == lengths.count, let shape = try? Shape(dimensions) else {
      throw arguments.usage("'\(text)' for '--resize', wanted NAME=1x2x3")
    }
    return (String(text[..<sign]), shape)
  }

  /// An input's content and where it comes from.
  package struct Given {
    package let content: InputFileContent
    package let file: String

    package init(content: InputFileContent, file: String) {
      self.content = content
      self.file = file
    }
  }

  /// Gives `interpreter` its inputs: shapes first, then values.
  package func apply(
    to interpreter: Interpreter, model: String, command: String, console: any Console
  ) throws(CommandError) {
    for (name, shape) in shapes {
      guard let position = interpreter.inputPosition(named: name) else {
        throw Self.unknownInput(name, interpreter, command)
      }
      try naming(model) { () throws(InferenceError) in
        try interpreter.resizeInput(position, to: shape)
      }
    }
    let given = try assign(to: interpreter, command: command, console: console)
    // TensorFlow Lite runs with strings that nobody gave: they are empty.
    let missing = interpreter.inputs.indices.filter {
      given[$0] == nil && interpreter.inputs[$0].type?.elementType != .string
    }
    guard missing.isEmpty || fill != nil else {
      let names = missing.map { "'\(interpreter.inputs[$0].label)'" }.joined(separator: ", ")
      throw .usage(
        "no values for input \(names)", command: command,
        hint: "--input FILE gives them, --fill zeros makes them up")
    }
    let prepared = try Self.prepare(given, interpreter, images: images)
    for warning in prepared.sorted(by: { $0.key < $1.key }).compactMap(\.value.warning) {
      console.note(warning)
    }
    try naming(model) { () throws(InferenceError) in
      try Self.put(prepared, into: interpreter)
    }
    var fill = fill
    let ranges = IndexRanges(of: interpreter.subgraph)
    for (position, info) in interpreter.inputs.enumerated() where prepared[position] == nil {
      let bytes = try madeUp(info, &fill, range: ranges.range(info.index), model: model)
      try naming(model) { () throws(InferenceError) in
        try interpreter.setInput(position, bytes: bytes)
      }
    }
  }

  /// Gives inputs their shapes, then their values.
  package static func put(
    _ values: [Int: Value], into interpreter: Interpreter
  ) throws(InferenceError) {
    let values = values.sorted { $0.key < $1.key }
    for (position, value) in values {
      if let shape = value.shape { try interpreter.resizeInput(position, to: shape) }
    }
    try interpreter.prepare()
    for (position, value) in values { try interpreter.setInput(position, bytes: value.bytes) }
  }
}

extension Interpreter {
  /// What the model's metadata says about an input; nil where it says nothing.
  package func notes(_ position: Int) -> TensorMetadata? {
    let storage = model.storage
    guard let metadata = try? model.file.modelMetadata(in: storage.bytes),
      let notes = metadata.subgraphs.first?.inputs,
      let location = model.file.subgraphs[0].inputs.firstIndex(of: inputs[position].index),
      notes.indices.contains(location)
    else { return nil }
    return notes[location]
  }
}

extension Interpreter.TensorInfo {
  /// The name that a user knows the tensor by.
  package var label: String { (argument ?? name).printable }
}
