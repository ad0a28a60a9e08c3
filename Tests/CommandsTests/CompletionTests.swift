// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import Testing

/// What shells offer for the beginning of a line, by the scripts that the program prints.
@Suite struct CompletionTests {
  struct Line: Sendable {
    /// Words, of which the last is being typed.
    let words: [String]
    /// What is offered, in the shell's order.
    let offered: [String]

    init(_ line: String, _ offered: String...) {
      words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      self.offered = offered
    }
  }

  private static let common: [Line] = [
    Line("martlet wor", "worker"),
    Line("martlet hel", "help"),
    Line("martlet help wor", "worker"),
    Line("martlet worker --tas", "--task"),
    Line("martlet worker --task la", "label"),
    Line("martlet worker --task x"),
    Line("martlet image ", "decode", "encode", "info", "resize"),
    Line("martlet image decode --outp", "--output"),
    Line("martlet --generate-completion-script ", "bash", "fish", "zsh"),
    Line("martlet worker --output worker --tas", "--task"),
  ]

  private static let bashLines: [Line] =
    common + [
      Line("martlet run ", "a model.tflite", "b.tflite", "folder"),
      Line("martlet worker -m ", "a model.tflite", "b.tflite", "folder"),
      Line("martlet run c", "c.txt"),
      Line("martlet run --output-dir ", "folder"),
      Line("martlet run --seed "),
      Line("martlet run --kernels = ref", "reference"),
      Line("martlet run --kernels =", "optimized", "reference"),
    ]

  @Test(.enabled(if: ShellProgram("bash").exists, "needs bash"), arguments: bashLines)
  func `bash`(line: Line) throws {
    let folder = try Self.folder(for: "bash")
    let words = line.words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      source ./script
      [ "$(complete -p martlet)" = 'complete -F _martlet martlet' ] || exit 1
      COMP_WORDS=(\(words))
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _martlet
      [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try ShellProgram("bash").run(["--norc", "-c", script], in: folder.folder)
    #expect(result.code == 0)
    #expect(result.text.split(separator: "\n").map(String.init).sorted() == line.offered)
  }

  private static let fishLines: [Line] =
    common + [
      Line("martlet run --kernels=ref", "--kernels=reference"),
      Line("martlet run a", "a model.tflite"),
      Line("martlet run --output-dir ", "folder/"),
    ]

  @Test(.enabled(if: ShellProgram("fish").exists, "needs fish"), arguments: fishLines)
  func `fish`(line: Line) throws {
    let folder = try Self.folder(for: "fish")
    let words = line.words.joined(separator: " ")
    let result = try ShellProgram("fish").run(
      ["--no-config", "-c", "source ./script; complete -C '\(words)'"], in: folder.folder)
    #expect(result.code == 0)
    let offered = result.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(offered.sorted() == line.offered)
  }

  @Test(.enabled(if: ShellProgram("zsh").exists, "needs zsh"))
  func `zsh takes the script`() throws {
    let folder = try Self.folder(for: "zsh")
    let result = try ShellProgram("zsh").run(["-f", "-n", "script"], in: folder.folder)
    #expect(result.text == "")
    #expect(result.code == 0)
  }

  /// A folder with a shell's script and files to offer.
  private static func folder(for shell: String) throws -> CapturedConsole {
    let console = CapturedConsole()
    #expect(console.run("--generate-completion-script \(shell)") == 0)
    let script = console.output
    try console.put(script, "script")
    for name in ["a model.tflite", "b.tflite", "c.txt"] { try console.put([], name) }
    try Folder.create(at: console.folder + "/folder")
    return console
  }
}
