// SPDX-License-Identifier: Apache-2.0

extension OptionDescription {
  /// `--output`, which the commands that make a file need.
  package static func output(_ extensions: [String]) -> OptionDescription {
    .value(
      "output", letter: "o", "file", "The file to write; - is standard output.",
      completion: .files(extensions))
  }

  /// `--output-dir`, of the commands that write several files; `-o` as `--output` of others.
  package static func outputFolder(_ help: String) -> OptionDescription {
    .value("output-dir", letter: "o", "folder", help, completion: .folders)
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

  /// Refuses the name of another kind of file where a PNG file is written.
  package func checkPNG(_ path: String, option: String) throws(CommandError) {
    let name = path.lowercased()
    let others = ["jpg", "jpeg", "bmp", "ppm", "pgm", "pbm", "pnm", "gif", "webp", "tif", "tiff"]
    guard let ending = others.first(where: { name.hasSuffix(".\($0)") }) else { return }
    throw usage(
      "'\(path)' for '--\(option)', and only PNG files are written",
      hint: "'\(path.dropLast(ending.count))png' would be one")
  }
}
