// SPDX-License-Identifier: Apache-2.0

/// The completion script for bash: finds the subcommand, then offers values, options and files.
struct BashCompletion {
  private let root: CommandDescription
  private let places: [CompletionScript.Place]

  init(_ root: CommandDescription) {
    self.root = root
    places = CompletionScript.places(root)
  }

  var script: String {
    let paths = places.filter { !$0.path.isEmpty }.map { "\"\(Self.words($0.path))\"" }
    return """
      # bash completion for \(root.name)
      _\(root.name)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local path="" word candidate
        COMPREPLY=()
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          candidate="${path:+$path }$word"
          case "$candidate" in
            \(paths.joined(separator: "|"))) path="$candidate" ;;
          esac
        done
        case "$path" in
      \(places.map(section).joined(separator: "\n"))
        esac
      }
      complete -o filenames -F _\(root.name) \(root.name)

      """
  }

  /// What to offer after the words of one command.
  private func section(_ place: CompletionScript.Place) -> String {
    let options = place.command.options
    let values = options.filter { $0.value != nil }.map { option in
      "      \(option.spellings.joined(separator: "|"))) \(Self.reply("=", option.completion)); return ;;"
    }
    let words = options.flatMap(\.spellings) + place.command.subcommands.map(\.name)
    let files =
      place.command.arguments.last.map { "\n    " + Self.reply("+=", $0.completion) } ?? ""
    return """
        "\(Self.words(place.path))")
          case "$previous" in
      \(values.joined(separator: "\n"))
          esac
          COMPREPLY=($(compgen -W "\(Self.words(words))" -- "$current"))\(files)
          ;;
      """
  }

  private static func reply(_ assignment: String, _ completion: Completion) -> String {
    switch completion {
    case .none: "COMPREPLY\(assignment)()"
    case .files: "COMPREPLY\(assignment)($(compgen -f -- \"$current\"))"
    case .folders: "COMPREPLY\(assignment)($(compgen -d -- \"$current\"))"
    case .words(let choices):
      "COMPREPLY\(assignment)($(compgen -W \"\(words(choices))\" -- \"$current\"))"
    }
  }

  private static func words(_ words: [String]) -> String { words.joined(separator: " ") }
}
