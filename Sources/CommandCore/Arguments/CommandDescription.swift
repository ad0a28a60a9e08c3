// SPDX-License-Identifier: Apache-2.0

/// All there is to know about a subcommand: parsing, help and completion derive from it.
package struct CommandDescription: Sendable {
  /// What a subcommand does with its arguments.
  package typealias Action =
    @Sendable (ParsedArguments, any Console) throws(CommandError) -> ExitCode

  /// The word that calls it.
  package let name: String
  /// One sentence.
  package let summary: String
  /// Further paragraphs of the help text.
  package let discussion: String
  /// What it takes by position; only the last may repeat.
  package let arguments: [ArgumentDescription]
  /// What it takes by name.
  package let options: [OptionDescription]
  /// What it does; nil for a group of commands.
  package let action: Action?
  /// Gives the subcommands of a group, so that a program that needs none makes none.
  private let listSubcommands: @Sendable () -> [CommandDescription]

  /// A command that does something.
  ///
  /// Where it reads models or images (`isReading`), limits can be set.
  package init(
    _ name: String, _ summary: String, discussion: String = "",
    arguments: [ArgumentDescription] = [], options: [OptionDescription] = [],
    isReading: Bool = true, action: @escaping Action
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options + (isReading ? [LimitOption.description, .help] : [.help])
    self.action = action
    listSubcommands = { [] }
  }

  /// A group of commands.
  package init(
    _ name: String, _ summary: String, discussion: String = "",
    options: [OptionDescription] = [],
    subcommands: @autoclosure @escaping @Sendable () -> [CommandDescription]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    arguments = []
    self.options = options + [.help]
    action = nil
    listSubcommands = subcommands
  }

  /// The subcommands of a group.
  package var subcommands: [CommandDescription] { listSubcommands() }

  /// The subcommand called `name`.
  package func subcommand(_ name: String) -> CommandDescription? {
    subcommands.first { $0.name == name }
  }
}

/// Something that a command takes by position.
package struct ArgumentDescription: Sendable {
  /// The name in help and errors.
  package let name: String
  /// One sentence.
  package let help: String
  /// Whether the command runs without it.
  package let isOptional: Bool
  /// Whether there may be several.
  package let isRepeated: Bool
  /// What a shell may offer.
  package let completion: Completion

  /// An argument called `name`.
  package init(
    _ name: String, _ help: String, isOptional: Bool = false, isRepeated: Bool = false,
    completion: Completion = .none
  ) {
    self.name = name
    self.help = help
    self.isOptional = isOptional
    self.isRepeated = isRepeated
    self.completion = completion
  }
}

/// Something that a command takes by name.
package struct OptionDescription: Sendable {
  /// The name after two dashes.
  package let name: String
  /// The letter after one dash.
  package let letter: Character?
  /// A letter that means the option in command lines of earlier versions; help does not show it.
  package private(set) var earlierLetter: Character?
  /// What stands for the value in help; nil for a flag.
  package let value: String?
  /// One sentence.
  package let help: String
  /// What holds when the option is not given, for the help text.
  package let defaultValue: String?
  /// Whether it may be given several times.
  package let isRepeated: Bool
  /// What a shell may offer as the value; of choices, the value must be one.
  package let completion: Completion

  private init(
    _ name: String, letter: Character?, value: String?, _ help: String, defaultValue: String?,
    isRepeated: Bool, completion: Completion
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
    self.defaultValue = defaultValue
    self.isRepeated = isRepeated
    self.completion = completion
  }

  /// The same option, which had a letter in earlier versions.
  package func called(earlier letter: Character) -> OptionDescription {
    var option = self
    option.earlierLetter = letter
    return option
  }

  /// An option that is there or not.
  package static func flag(
    _ name: String, letter: Character? = nil, _ help: String
  ) -> OptionDescription {
    OptionDescription(
      name, letter: letter, value: nil, help, defaultValue: nil, isRepeated: false,
      completion: .none)
  }

  /// An option with a value.
  package static func value(
    _ name: String, letter: Character? = nil, _ value: String, _ help: String,
    defaultValue: String? = nil, isRepeated: Bool = false, completion: Completion = .none
  ) -> OptionDescription {
    OptionDescription(
      name, letter: letter, value: value, help, defaultValue: defaultValue,
      isRepeated: isRepeated, completion: completion)
  }

  /// An option whose value is one of several words.
  package static func choice(
    _ name: String, _ words: [String], _ help: String, defaultValue: String? = nil
  ) -> OptionDescription {
    OptionDescription(
      name, letter: nil, value: words.joined(separator: "|"), help, defaultValue: defaultValue,
      isRepeated: false, completion: .words(words))
  }

  /// `--json`, which every command takes.
  package static let json = flag("json", "Print one JSON document instead of text.")

  /// `--csv`, of the commands that print rows.
  package static let csv = flag("csv", "Print lines of comma-separated values instead of text.")

  /// `-h`, `--help`, which every command takes.
  package static let help = flag("help", letter: "h", "Show help information.")
}

/// What a shell may offer instead of a value.
package enum Completion: Sendable, Equatable {
  /// Nothing.
  case none
  /// Files with one of these extensions, or any where there are none.
  case files([String])
  /// Folders.
  case folders
  /// One of these words; others are refused.
  case words([String])
}
