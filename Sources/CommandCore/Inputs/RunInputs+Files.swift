// SPDX-License-Identifier: Apache-2.0

import FileAccess
package import Martlet

extension RunInputs {
  /// Which file gives which input.
  package func assign(
    to interpreter: Interpreter, command: String, console: any Console
  ) throws(CommandError) -> [Int: Given] {
    var entries: [(name: String?, entry: Given)] = []
    for file in files {
      let (name, path) = try split(file, interpreter, command)
      let content = try InputFileContent(try console.read(path), path: path)
      entries.append((name, Given(content: content, file: path)))
    }
    return try Self.assign(entries, to: interpreter, command: command)
  }

  /// Which content gives which input; arrays of an archive by their names, what has no name in the
  /// inputs' order.
  package static func assign(
    _ entries: [(name: String?, entry: Given)], to interpreter: Interpreter, command: String
  ) throws(CommandError) -> [Int: Given] {
    var given: [Int: Given] = [:]
    var unnamed: [Given] = []
    func put(_ entry: Given, _ name: String) throws(CommandError) {
      guard let position = interpreter.inputPosition(named: name) else {
        throw unknownInput(name, interpreter, command)
      }
      guard given.updateValue(entry, forKey: position) == nil else {
        throw .usage("input '\(name)' is given twice", command: command)
      }
    }
    for (name, entry) in entries {
      let path = entry.file
      switch (entry.content, name) {
      case (.archive(let arrays), let name?):
        guard
          let array = arrays.first(where: { $0.name == name })?.array
            ?? (arrays.count == 1 ? arrays[0].array : nil)
        else { throw .data("no array '\(name)' in the archive", location: path) }
        try put(Given(content: .array(array), file: path), name)
      case (.archive(let arrays), nil):
        for (name, array) in arrays {
          let entry = Given(content: .array(array), file: "\(path), '\(name)'")
          if interpreter.inputPosition(named: name) == nil, name.hasPrefix("arr_"),
            let position = Int(name.dropFirst(4)), position < interpreter.inputs.count
          {
            // numpy.savez gives arrays without a name these ones.
            given[position] = entry
          } else {
            try put(entry, name)
          }
        }
      case (_, let name?): try put(entry, name)
      case (_, nil): unnamed.append(entry)
      }
    }
    var free = interpreter.inputs.indices.filter { given[$0] == nil }[...]
    for entry in unnamed {
      guard let position = free.popFirst() else {
        throw .usage(
          "\(entries.count) input files for \(interpreter.inputs.count) inputs", command: command)
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
    if interpreter.inputPosition(named: name) != nil { return (name, path) }
    if Folder.kind(of: file) != nil { return (nil, file) }
    throw Self.unknownInput(name, interpreter, command)
  }

  static func unknownInput(
    _ name: String, _ interpreter: Interpreter, _ command: String
  ) -> CommandError {
    let known = interpreter.inputs.map { "'\($0.label)'" }.joined(separator: ", ")
    return .usage("no input '\(name)'", command: command, hint: "the model has \(known)")
  }
}
