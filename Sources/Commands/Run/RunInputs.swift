// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import Tensors
import Verification

/// The values that a command line gives a model's inputs.
struct RunInputs {
  /// Files as given: `[NAME=]FILE`.
  var files: [String]
  /// What fills inputs without a file; nil where each must have one.
  let fill: InputFill?
  /// Shapes by input name.
  let shapes: [(name: String, shape: Shape)]

  /// The options that give a model its inputs, which several commands share.
  static let descriptions: [OptionDescription] = [
    .value(
      "input", letter: "i", "[name=]file", "Values of an input; may be given for each.",
      isRepeated: true, completion: .files([])),
    .choice("fill", InputFill.Kind.words, "Make up the values of inputs without a file."),
    .value("seed", "n", "Where --fill random begins.", defaultValue: "0"),
    .value("signature", "key", "Run this signature instead of the main graph."),
    .value(
      "resize", "name=1x224x224x3", "Give an input another shape; may be given for each.",
      isRepeated: true),
  ]

  /// The inputs as `arguments` give them; `madeUp` fills those without a file unless `--fill`
  /// says otherwise.
  init(_ arguments: ParsedArguments, madeUp: InputFill.Kind?) throws(CommandError) {
    files = arguments.allValues("input")
    let seed = try arguments.integer("seed", default: 0, in: 0...Int.max)
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
  private struct Given {
    let content: InputFileContent
    let file: String
  }

  /// Gives `interpreter` its inputs: shapes first, then values.
  func apply(
    to interpreter: Interpreter, model: String, command: String, console: any Console
  ) throws(CommandError) {
    for (name, shape) in shapes {
      guard let position = interpreter.position(ofInput: name) else {
        throw unknownInput(name, interpreter, command)
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
    let prepared = try prepare(given, interpreter)
    for (position, value) in prepared.sorted(by: { $0.key < $1.key }) {
      guard let shape = value.shape else { continue }
      try naming(model) { () throws(InferenceError) in
        try interpreter.resizeInput(position, to: shape)
      }
    }
    try naming(model) { () throws(InferenceError) in try interpreter.prepare() }
    var fill = fill
    for (position, info) in interpreter.inputs.enumerated() {
      let bytes: [UInt8]
      if let value = prepared[position] {
        bytes = value.bytes
      } else {
        bytes = try madeUp(info, &fill, model: model)
      }
      try naming(model) { () throws(InferenceError) in
        try interpreter.setInput(position, bytes: bytes)
      }
    }
  }

  /// Which file gives which input.
  private func assign(
    to interpreter: Interpreter, command: String, console: any Console
  ) throws(CommandError) -> [Int: Given] {
    var given: [Int: Given] = [:]
    var unnamed: [Given] = []
    func put(_ entry: Given, _ name: String) throws(CommandError) {
      guard let position = interpreter.position(ofInput: name) else {
        throw unknownInput(name, interpreter, command)
      }
      guard given.updateValue(entry, forKey: position) == nil else {
        throw .usage("input '\(name)' is given twice", command: command)
      }
    }
    for file in files {
      let (name, path) = try split(file, interpreter, command)
      let content = try InputFileContent(try console.read(path), path: path)
      switch (content, name) {
      case (.archive(let arrays), let name?):
        guard
          let array = arrays.first(where: { $0.name == name })?.array
            ?? (arrays.count == 1 ? arrays[0].array : nil)
        else { throw .data("no array '\(name)' in the archive", place: path) }
        try put(Given(content: .array(array), file: path), name)
      case (.archive(let arrays), nil):
        for (name, array) in arrays {
          let entry = Given(content: .array(array), file: "\(path), '\(name)'")
          if interpreter.position(ofInput: name) == nil, name.hasPrefix("arr_"),
            let position = Int(name.dropFirst(4)), position < interpreter.inputs.count
          {
            // numpy.savez gives arrays without a name these ones.
            given[position] = entry
          } else {
            try put(entry, name)
          }
        }
      case (_, let name?): try put(Given(content: content, file: path), name)
      case (_, nil): unnamed.append(Given(content: content, file: path))
      }
    }
    var free = interpreter.inputs.indices.filter { given[$0] == nil }[...]
    for entry in unnamed {
      guard let position = free.popFirst() else {
        throw .usage(
          "\(files.count) input files for \(interpreter.inputs.count) inputs", command: command)
      }
      given[position] = entry
    }
    return given
  }

  /// `NAME=FILE` in parts; only an input's name counts, so that a path may contain `=` too.
  private func split(
    _ file: String, _ interpreter: Interpreter, _ command: String
  ) throws(CommandError) -> (name: String?, path: String) {
    guard let sign = file.firstIndex(of: "=") else { return (nil, file) }
    let (name, path) = (String(file[..<sign]), String(file[file.index(after: sign)...]))
    if interpreter.position(ofInput: name) != nil { return (name, path) }
    if Folder.kind(of: file) != nil { return (nil, file) }
    throw unknownInput(name, interpreter, command)
  }

  private func unknownInput(
    _ name: String, _ interpreter: Interpreter, _ command: String
  ) -> CommandError {
    let known = interpreter.inputs.map { "'\($0.label)'" }.joined(separator: ", ")
    return .usage("no input '\(name)'", command: command, hint: "the model has \(known)")
  }

  /// What an input's content means: a shape, where it has one of its own, and the bytes as the
  /// engine stores them.
  private struct Value {
    let shape: Shape?
    let bytes: [UInt8]
  }

  private func prepare(
    _ given: [Int: Given], _ interpreter: Interpreter
  ) throws(CommandError) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for (position, entry) in given {
      let info = interpreter.inputs[position]
      let name = "input '\(info.label)'"
      guard let type = info.type else { throw .data("\(name) has no type", place: entry.file) }
      switch entry.content {
      case .array(let array):
        do throws(NpyError) {
          values[position] = Value(
            shape: array.shape, bytes: try array.tensorBytes(as: type.elementType))
        } catch {
          throw .data("\(error.reason), \(name)", place: entry.file)
        }
      case .raw(let bytes):
        guard let wanted = type.byteCount, bytes.count == wanted else {
          let wanted = type.byteCount.map { "\($0) bytes" } ?? "an npy file"
          throw .data(
            "\(bytes.count) bytes for \(name) of \(type), wanted \(wanted)", place: entry.file)
        }
        values[position] = Value(shape: nil, bytes: bytes)
      case .picture(let bytes):
        values[position] = try picture(bytes, position, interpreter, file: entry.file)
      case .archive:
        throw .data("an archive where \(name) needs an array", place: entry.file)
      }
    }
    return values
  }

  private func picture(
    _ bytes: [UInt8], _ position: Int, _ interpreter: Interpreter, file: String
  ) throws(CommandError) -> Value {
    let image = try decodedPicture(bytes, path: file)
    let info = interpreter.inputs[position]
    do throws(PictureInput.Refusal) {
      let picture = try PictureInput(image, for: info, notes: interpreter.notes(position))
      return Value(shape: picture.shape, bytes: picture.bytes)
    } catch {
      throw .data("\(error.reason), input '\(info.label)'", place: file)
    }
  }

  private func madeUp(
    _ info: Interpreter.TensorInfo, _ fill: inout InputFill?, model: String
  ) throws(CommandError) -> [UInt8] {
    guard let type = info.type else {
      throw .data("input '\(info.label)' has no type", place: model)
    }
    var emptyStrings = InputFill(.zeros, seed: 0)
    do throws(NpyError) {
      if let bytes = try fill?.bytes(for: type) { return bytes }
      if let bytes = try emptyStrings.bytes(for: type) { return bytes }
    } catch {
      throw .data("\(error.reason), input '\(info.label)'", place: model)
    }
    throw .data("no values can be made up for input '\(info.label)' of \(type)", place: model)
  }
}

extension Interpreter {
  /// The input that a signature's argument or a tensor's name means.
  func position(ofInput name: String) -> Int? {
    inputs.firstIndex { $0.isCalled(name) }
  }

  /// What the model's metadata says about an input; nil where it says nothing.
  func notes(_ position: Int) -> TensorMetadata? {
    let storage = model.storage
    guard let metadata = try? model.file.modelMetadata(in: storage.bytes),
      let notes = metadata.subgraphs.first?.inputs,
      let place = model.file.subgraphs[0].inputs.firstIndex(of: inputs[position].index),
      notes.indices.contains(place)
    else { return nil }
    return notes[place]
  }
}

extension Interpreter.TensorInfo {
  /// The name that a user knows the tensor by.
  var label: String { (argument ?? name).printable }
}
