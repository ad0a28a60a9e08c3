// SPDX-License-Identifier: Apache-2.0

/// Reads command-line words as the arguments and options of one command.
///
/// `--option value`, `--option=value`, letters in groups (`-tm`), a letter's value joined or
/// apart (`-oFILE`, `-o FILE`); `--` ends options, and `-` alone is an ordinary word.
package struct ArgumentReader {
  private let description: CommandDescription
  private var words: ArraySlice<String>
  private var result: ParsedArguments
  private var operands: [String] = []

  /// What a command line asks for.
  package enum Request {
    /// To run the command.
    case run(ParsedArguments)
    /// To show the command's help.
    case help
  }

  /// What `words` mean to the command that `command` calls.
  package static func read(
    _ words: ArraySlice<String>, for description: CommandDescription, command: String
  ) throws(CommandError) -> Request {
    var reader = ArgumentReader(
      description: description, words: words,
      result: ParsedArguments(command: command, words: Array(words)))
    return try reader.read()
  }

  private mutating func read() throws(CommandError) -> Request {
    var optionsEnded = false
    while let word = words.popFirst() {
      if optionsEnded || word == "-" || !word.hasPrefix("-") {
        operands.append(word)
      } else if word == "--" {
        optionsEnded = true
      } else if word.hasPrefix("--") {
        try readNamed(word)
      } else {
        try readLetters(word)
      }
      // Help is given even though what follows may be wrong.
      if result.flags.contains("help") { return .help }
    }
    try assignOperands()
    return .run(result)
  }

  private mutating func readNamed(_ word: String) throws(CommandError) {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = description.options.first(where: { $0.name == name }) else {
      let known = description.options.map { "--\($0.name)" }
      throw result.usage(
        "unknown option '--\(name)'", hint: Suggestion.hint(for: "--\(name)", among: known))
    }
    let given = parts.count == 2 ? String(parts[1]) : nil
    try apply(option, spelling: "--\(name)", value: given)
  }

  private mutating func readLetters(_ word: String) throws(CommandError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard
        let option = description.options.first(where: {
          $0.letter == letter || $0.earlierLetter == letter
        })
      else {
        throw result.usage("unknown option '-\(letter)'")
      }
      var value: String?
      if option.value != nil, !letters.isEmpty {
        if letters.first == "=" { letters.removeFirst() }
        value = String(letters)
        letters = ""
      }
      try apply(option, spelling: "-\(letter)", value: value)
    }
  }

  private mutating func apply(
    _ option: OptionDescription, spelling: String, value: String?
  ) throws(CommandError) {
    guard option.value != nil else {
      guard value == nil else { throw result.usage("'\(spelling)' takes no value") }
      result.flags.insert(option.name)
      return
    }
    guard let value = value ?? nextValue() else {
      throw result.usage("missing value for '\(spelling)'")
    }
    if case .words(let words) = option.completion, !words.contains(value) {
      throw result.usage(
        "'\(value)' for '\(spelling)', wanted \(words.joined(separator: " or "))",
        hint: Suggestion.hint(for: value, among: words))
    }
    result.values[option.name, default: []].append(value)
  }

  /// The next word, unless it looks like an option; numbers may be negative.
  private mutating func nextValue() -> String? {
    guard let word = words.first else { return nil }
    let looksLikeOption = word.hasPrefix("-") && word != "-" && Double(word) == nil
    return looksLikeOption ? nil : words.popFirst()
  }

  private mutating func assignOperands() throws(CommandError) {
    var rest = operands[...]
    for argument in description.arguments {
      if argument.isRepeated {
        result.positional[argument.name] = Array(rest)
        rest = []
      } else if let word = rest.popFirst() {
        result.positional[argument.name] = [word]
      }
      if !argument.isOptional, result.allArguments(argument.name).isEmpty {
        throw result.usage("missing argument '<\(argument.name)>'")
      }
    }
    if let surplus = rest.first {
      throw result.usage("unexpected argument '\(surplus)'")
    }
  }

  private init(
    description: CommandDescription, words: ArraySlice<String>, result: ParsedArguments
  ) {
    self.description = description
    self.words = words
    self.result = result
  }
}
