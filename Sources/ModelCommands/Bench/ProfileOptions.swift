// SPDX-License-Identifier: Apache-2.0

/// What is to become of the time that each node takes.
struct ProfileOptions {
  /// Whether it is reported.
  let isShown: Bool
  /// How many nodes the text lists, slowest first; nil for all in the order of the model.
  let nodeCount: Int?
  /// The file that a trace goes to.
  let tracePath: String?

  /// `--profile`, `--top` and `--trace`.
  static let descriptions: [OptionDescription] = [
    .flag("profile", "Show how long nodes and operators take, and how fast they are."),
    .value(
      "top", "n|all", "How many nodes --profile lists: the slowest, or all in order.",
      defaultValue: "10"),
    .value(
      "trace", "file", "Write a timeline of the nodes, for Perfetto or chrome://tracing.",
      completion: .files(["json"])),
  ]

  init(_ arguments: ParsedArguments) throws(CommandError) {
    isShown = arguments.flag("profile")
    tracePath = arguments.value("trace")
    nodeCount =
      arguments.value("top") == "all"
      ? nil : try arguments.integer("top", default: 10, in: 1...1_000_000)
    guard isShown || arguments.value("top") == nil else {
      throw arguments.usage("'--top' says how many nodes '--profile' lists")
    }
    guard tracePath != "-" else {
      throw arguments.usage("'--trace' wants a file, as results go to standard output")
    }
  }

  /// Whether nodes have to be timed at all.
  var isWanted: Bool { isShown || tracePath != nil }
}
