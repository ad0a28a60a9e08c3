// SPDX-License-Identifier: Apache-2.0

package import VisionTasks

/// The options that say which labels are reported and in which words.
package struct LabelOptions {
  package let labels: LabelMap?
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

  /// How many labels `--top` asks for.
  package static func top(_ arguments: ParsedArguments) throws(CommandError) -> Int {
    try arguments.integer("top", default: 5, in: 1...Int.max)
  }

  package init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    labels = try arguments.value("labels").map { file throws(CommandError) in
      LabelMap(classNames: LabelMap.lines(of: try console.read(file)))
    }
    allowed = Set(arguments.allValues("allow"))
    denied = Set(arguments.allValues("deny"))
    locale = arguments.value("locale") ?? "en"
    guard allowed.isEmpty || denied.isEmpty else {
      throw arguments.usage("--allow and --deny exclude each other")
    }
  }
}
