// SPDX-License-Identifier: Apache-2.0

/// What a command line gave for the arguments and options of one command.
package struct ParsedArguments: Sendable {
  /// The words that call the command: `martlet run`.
  package let command: String
  /// The words behind these, as they were given.
  package let words: [String]
  var flags: Set<String> = []
  package var values: [String: [String]] = [:]
  var positional: [String: [String]] = [:]

  package init(command: String, words: [String] = []) {
    self.command = command
    self.words = words
  }

  /// Whether the flag was given.
  package func flag(_ name: String) -> Bool { flags.contains(name) }

  /// The value of an option; the last one where it was given several times.
  package func value(_ name: String) -> String? { values[name]?.last }

  /// All values of an option in order.
  package func allValues(_ name: String) -> [String] { values[name] ?? [] }

  /// The positional argument called `name`.
  package func argument(_ name: String) -> String? { positional[name]?.first }

  /// All positional arguments called `name`.
  package func allArguments(_ name: String) -> [String] { positional[name] ?? [] }

  /// A positional argument that the command cannot do without here.
  package func required(_ name: String) throws(CommandError) -> String {
    guard let value = argument(name) else { throw usage("missing argument '<\(name)>'") }
    return value
  }

  /// The integer that an option gives; nil where it is not given.
  package func integer(
    _ name: String, in range: ClosedRange<Int>
  ) throws(CommandError) -> Int? {
    value(name) == nil ? nil : try integer(name, default: range.lowerBound, in: range)
  }

  /// An option's value as an integer; `word` is what it may be instead, for the error.
  package func integer(
    _ name: String, default fallback: Int, in range: ClosedRange<Int>, orWord word: String? = nil
  ) throws(CommandError) -> Int {
    guard let text = value(name) else { return fallback }
    guard let number = Int(text), range.contains(number) else {
      throw usage(
        "'\(text)' for '--\(name)', wanted "
          + (range.upperBound == Int.max
            ? "a number from \(range.lowerBound)"
            : "a number from \(range.lowerBound) to \(range.upperBound)")
          + (word.map { ", or \($0)" } ?? ""))
    }
    return number
  }

  /// An option's value as a real number; nil where it was not given.
  package func number(_ name: String) throws(CommandError) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw usage("'\(text)' for '--\(name)', wanted a number")
    }
    return number
  }

  /// A usage error of this command.
  package func usage(_ message: String, hint: String? = nil) -> CommandError {
    .usage(message, command: command, hint: hint)
  }
}
