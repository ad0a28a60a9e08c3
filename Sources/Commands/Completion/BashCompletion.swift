// SPDX-License-Identifier: Apache-2.0

/// The completion script for bash: finds the subcommand, then offers values, options and files.
struct BashCompletion {
  private let root: CommandDescription
  private let locations: [CompletionScript.Location]

  init(_ root: CommandDescription) {
    self.root = root
    locations = CompletionScript.locations(root)
  }

  /// The functions that complete, and what registers them.
  ///
  /// Of files, those with one of the wanted extensions and folders are offered, or all where there
  /// are none of these. Bash takes `--option=value` apart into three words.
  var script: String {
    let paths = locations.filter { !$0.path.isEmpty }.map { "\"\(Self.words($0.path))\"" }
    let name = "_\(root.name)"
    return """
      # bash completion for \(root.name)
      \(name)_words() {
        mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
      }
      \(name)_files() {
        local file extension
        local -a every=() chosen=()
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do
          every+=("$file")
          if [ -d "${file/#\\~/$HOME}" ]; then chosen+=("$file"); fi
          for extension; do
            if [[ $file == *."$extension" ]]; then chosen+=("$file"); fi
          done
        done < <(compgen -f -- "$current")
        if [ ${#chosen[@]} -gt 0 ] && [ $# -gt 0 ]; then
          COMPREPLY=("${chosen[@]}")
        else
          COMPREPLY=("${every[@]}")
        fi
      }
      \(name)_folders() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$current")
      }
      \(name)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local path="" word candidate
        COMPREPLY=()
        if [ "$current" = "=" ]; then
          current=""
        elif [ "$previous" = "=" ]; then
          previous="${COMP_WORDS[COMP_CWORD-2]}"
        fi
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          candidate="${path:+$path }$word"
          case "$candidate" in
            \(paths.joined(separator: "|"))) path="$candidate" ;;
          esac
        done
        case "$path" in
      \(locations.map(section).joined(separator: "\n"))
        esac
      }
      complete -F \(name) \(root.name)

      """
  }

  /// What to offer after the words of one command.
  private func section(_ location: CompletionScript.Location) -> String {
    let command = location.command
    let values = command.options.filter { $0.value != nil }.map { option in
      "      \(option.spellings.joined(separator: "|"))) \(reply(option.completion)); return ;;"
    }
    let spellings = Self.words(command.options.flatMap(\.spellings))
    let rest =
      command.subcommands.isEmpty
      ? reply(command.arguments.last?.completion ?? .none)
      : reply(.words(CompletionScript.followers(of: location)))
    return """
        "\(Self.words(location.path))")
          case "$previous" in
      \(values.joined(separator: "\n"))
          esac
          case "$current" in
            -*) \(reply(.words([spellings]))) ;;
            *) \(rest) ;;
          esac
          ;;
      """
  }

  private func reply(_ completion: Completion) -> String {
    switch completion {
    case .none: ":"
    case .files(let extensions): Self.words(["_\(root.name)_files"] + extensions)
    case .folders: "_\(root.name)_folders"
    case .words(let choices): "_\(root.name)_words \"\(Self.words(choices))\""
    }
  }

  private static func words(_ words: [String]) -> String { words.joined(separator: " ") }
}
