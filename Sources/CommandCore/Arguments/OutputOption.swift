// SPDX-License-Identifier: Apache-2.0

extension OptionDescription {
  /// `--output`, which the commands that make a file need.
  package static func output(_ extensions: [String]) -> OptionDescription {
    .value(
      "output", letter: "o", "file", "The file to write; - is standard output.",
      completion: .files(extensions))
  }
}

extension ParsedArguments {
  /// The path that `--output` gives.
  ///
  /// A document and a file cannot both go to standard output.
  package func output() throws(CommandError) -> String {
    guard let path = value("output") else { throw usage("missing '--output'") }
    if path == "-", flag("json") {
      throw usage("--json beside --output -, which both print on standard output")
    }
    return path
  }
}
