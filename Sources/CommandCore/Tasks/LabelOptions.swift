// SPDX-License-Identifier: Apache-2.0

package import ModelTasks

/// The options that say which labels are reported and in which words.
package struct LabelOptions {
  package let labels: LabelMap?
  /// The file that they are from, if one is named.
  package let file: String?
  package let allowed: Set<String>
  package let denied: Set<String>
  package let locale: String

  /// `--labels`, `--allow`, `--deny` and `--locale`.
  package static let descriptions: [OptionDescription] = [
    .value(
      "labels", "file", "Labels, one per line, instead of the model's own.",
      completion: .files(["txt"])),
    .value("allow", "name", "Report only this class, and others so named.", isRepeated: true),
    .value("deny", "name", "Leave this class out.", isRepeated: true),
    .value("locale", "language", "The language of display names.", defaultValue: "en"),
  ]

  /// The same behind `--top`; `owner` has the labels.
  package static func descriptions(of owner: String) -> [OptionDescription] {
    [.value("top", "n", "The most labels for \(owner).", defaultValue: "5")] + descriptions
  }

  /// What is said where classes have numbers only.
  package static let missingLabels =
    "hint: the model has no labels; --labels FILE names them\n"

  /// How many labels `--top` asks for.
  package static func top(_ arguments: ParsedArguments) throws(CommandError) -> Int {
    try arguments.integer("top", default: 5, in: 1...Int.max)
  }

  package init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    file = arguments.value("labels")
    labels = try file.map { file throws(CommandError) in
      LabelMap(classNames: LabelMap.lines(of: try console.read(file)))
    }
    allowed = Set(arguments.allValues("allow"))
    denied = Set(arguments.allValues("deny"))
    locale = arguments.value("locale") ?? "en"
    guard allowed.isEmpty || denied.isEmpty else {
      throw arguments.usage("--allow and --deny exclude each other")
    }
  }

  /// Refuses names of `--allow` and `--deny` that no class has: nothing could be meant by them.
  ///
  /// - Parameters:
  ///   - labels: the labels of each of the model's outputs; nil for one without.
  ///   - command: the words that call the command, for errors.
  /// - Throws: `CommandError.usage` that names a class that is close.
  package func checkNames(_ labels: [LabelMap?], command: String) throws(CommandError) {
    let given = allowed.union(denied).sorted()
    guard let first = given.first else { return }
    let known = labels.compactMap(\.self)
    guard !known.isEmpty else {
      throw .usage(
        "no class is called '\(first)': the model has no labels", command: command,
        hint: "--labels FILE gives them, one per line")
    }
    let names = Set(known.flatMap(\.classNames))
    guard let unknown = given.first(where: { !names.contains($0) }) else { return }
    let className = known.lazy.compactMap { $0.className(displayedAs: unknown) }.first
    throw .usage(
      "no class is called '\(unknown)'", command: command,
      hint: className.map { "the class that is displayed so is called '\($0)'" }
        ?? Suggestion.hint(for: unknown, among: names.sorted())
        ?? "classes are called as in the model's label file, such as '\(names.min() ?? "")'")
  }
}

extension LabelMap {
  /// The class name of the first class with this display name; nil where there is none.
  fileprivate func className(displayedAs name: String) -> String? {
    displayNames?.firstIndex(of: name).map(className)
  }
}
