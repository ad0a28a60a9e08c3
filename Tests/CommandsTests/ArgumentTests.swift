// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import JSONDocuments
import TestSupport
import Testing

/// Command lines.
@Suite struct ArgumentTests {
  @Test func `with help, the overview is shown`() {
    let console = CapturedConsole()
    #expect(console.run("help") == 0)
    let overview = console.text
    #expect(
      overview.hasPrefix("OVERVIEW: Run TensorFlow Lite models, and see how they\ncompute.\n"))
    #expect(overview.contains("\nUSAGE: martlet "))
    #expect(overview.hasSuffix("\n  See 'martlet help <subcommand>' for details.\n"))
    for line in ["help", "-h", "--help", "help --help"] {
      let console = CapturedConsole()
      #expect(console.run(line) == 0)
      #expect(console.text == overview)
      #expect(console.errors == "")
    }
  }

  @Test func `help is there at every level, by option and by word`() {
    func check(_ command: CommandDescription, _ path: [String]) {
      let words = path.joined(separator: " ")
      let (byOption, byWord) = (CapturedConsole(), CapturedConsole())
      #expect(byOption.run("\(words) --help") == 0)
      #expect(byWord.run("help \(words)") == 0)
      #expect(byOption.text == byWord.text)
      #expect(byOption.text.contains("OVERVIEW: "))
      #expect(byOption.text.contains("  -h, --help        Show help information.\n"))
      #expect(byOption.text.split(separator: "\n").allSatisfy { $0.count <= 60 })
      if command.action != nil {
        #expect(byOption.text.contains("--json"), "\(words)")
      }
      for subcommand in command.subcommands { check(subcommand, path + [subcommand.name]) }
    }
    check(MartletCommand.root, [])
  }

  @Test func `help of a command`() {
    let console = CapturedConsole()
    console.run("verify -h")
    let expected = """
      OVERVIEW: Run golden cases and compare the outputs, or store
      new ones.

      A golden case is a folder with inputs in_0.npy, in_1.npy and
      so on, expected outputs out_0.npy and so on, perhaps a
      case.json, and a model.tflite there or above. Files of bare
      bytes (in_0.raw) and archives (in.npz and out.npz, or
      io.npz) do as well. All cases below the given folders are
      run. Integers must be equal, floats within the case's
      tolerance or 2e-5 of the largest magnitude.

      With --record, the path is a model; it runs once, and its
      inputs and outputs become a case.

      USAGE: martlet verify <path>...
             [--kernels <optimized|reference>]
             [--rounding <double|single>] [--threads <n|auto>]
             [--atol <x>] [--rtol <x>] [--tolerance <name=x>]...
             [--both-kernels] [--junit <file>] [--record <dir>]
             [--input <[name=]file>]...
             [--fill <zeros|ones|random>] [--seed <n>]
             [--signature <key>] [--resize <name=1x224x224x3>]...
             [--mean <m[,m,m]>] [--std <s[,s,s]>]
             [--channel-order <rgb|bgr>]
             [--fit <stretch|crop|letterbox>]
             [--filter <bilinear|nearest|antialiased|libyuv|warp>]
             [--json] [--resource-limit <name=value>]...

      ARGUMENTS:
        <path>            A folder with cases, or with --record a
                          model.

      OPTIONS:
        --kernels <optimized|reference>
                          Which kernels compute. (default:
                          optimized)
        --rounding <double|single>
                          How quantized kernels round: twice as
                          TensorFlow Lite does, or once. (default:
                          double)
        --threads <n|auto>
                          How many threads share the work; auto is
                          one for each processor. (default: 1)
        --atol <x>        What a float may be off by, whatever the
                          case says.
        --rtol <x>        The same, as a part of the expected
                          number; both add up.
        --tolerance <name=x>
                          What floats of one operator's or one
                          model's cases may be off by; may be
                          given for each.
        --both-kernels    Run every case with the other set of
                          kernels, too.
        --junit <file>    Write the results as JUnit XML here,
                          too.
        --record <dir>    Store a run of the model as a case here.
        -i, --input <[name=]file>
                          Values of an input; may be given for
                          each.
        --fill <zeros|ones|random>
                          Make up the values of inputs without a
                          file.
        --seed <n>        Where --fill random begins. (default: 0)
        --signature <key>
                          Run this signature instead of the main
                          graph.
        --resize <name=1x224x224x3>
                          Give an input another shape; may be
                          given for each.
        --mean <m[,m,m]>  What is subtracted from an image's
                          bytes, for all channels or each, instead
                          of what the model's metadata says.
        --std <s[,s,s]>   What the rest is divided by. Without
                          metadata, --mean alone divides by 1, and
                          --std alone subtracts nothing.
        --channel-order <rgb|bgr>
                          The order of the model's channels.
                          (default: rgb)
        --fit <stretch|crop|letterbox>
                          What to do about other proportions.
                          (default: stretch)
        --filter <bilinear|nearest|antialiased|libyuv|warp>
                          How images are resized; libyuv is
                          bilinear with the rounding of ML Kit's
                          library; warp is MediaPipe's. (default:
                          bilinear)
        --json            Print one JSON document instead of text.
        --resource-limit <name=value>
                          What files may take at most, as in
                          arena-bytes=64MiB or time=2s; other
                          names are answered with all that there
                          are.
        -h, --help        Show help information.

      """
    #expect(console.text == expected)
  }

  struct Usage: Sendable, CustomTestStringConvertible {
    let line: String
    let error: String
    let hint: String

    init(_ line: String, _ error: String, _ hint: String) {
      self.line = line
      self.error = error
      self.hint = hint
    }

    var testDescription: String { line }
  }

  static let usageErrors = [
    Usage("rnu", "unknown subcommand 'rnu' (martlet)", "did you mean 'run'?"),
    Usage("xyzzy", "unknown subcommand 'xyzzy' (martlet)", "'martlet help' shows what it takes"),
    Usage("help rnu", "unknown subcommand 'rnu' (martlet)", "did you mean 'run'?"),
    Usage("--verson", "unknown option '--verson' (martlet)", "did you mean '--version'?"),
    Usage(
      "run m --kernel optimized", "unknown option '--kernel' (martlet run)",
      "did you mean '--kernels'?"),
    Usage(
      "run m --kernels optimised",
      "'optimised' for '--kernels', wanted optimized or reference"
        + " (martlet run)", "did you mean 'optimized'?"),
    Usage(
      "run m --seed", "missing value for '--seed' (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run m --seed --json", "missing value for '--seed' (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run m --seed=-1", "'-1' for '--seed', wanted a number from 0 (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run m --threads 0",
      "'0' for '--threads', wanted a number from 1 to 1024, or auto (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run m --json=yes", "'--json' takes no value (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run m -x", "unknown option '-x' (martlet run)", "'martlet help run' shows what it takes"),
    Usage(
      "run", "missing argument '<model>' (martlet run)", "'martlet help run' shows what it takes"),
    Usage(
      "run a b", "unexpected argument 'b' (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run a -- --json", "unexpected argument '--json' (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run m --resize x", "'x' for '--resize', wanted NAME=1x2x3 (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run m --resize x=1x-2", "'x=1x-2' for '--resize', wanted NAME=1x2x3 (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run m --keep-all", "--keep-all without --output-dir (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "run m --batch l", "'m' beside --batch, whose lines name the models (martlet run)",
      "'martlet help run' shows what it takes"),
    Usage(
      "verify", "missing argument '<path>' (martlet verify)",
      "'martlet help verify' shows what it takes"),
    Usage(
      "--generate-completion-script csh",
      "'csh' for '--generate-completion-script', wanted bash or zsh or fish (martlet)",
      "did you mean 'zsh'?"),
  ]

  @Test(arguments: usageErrors)
  func `wrong command lines end in 64, one line and a hint`(row: Usage) {
    let console = CapturedConsole()
    #expect(console.run(row.line) == 64)
    #expect(console.errors == "error: \(row.error)\nhint: \(row.hint)\n")
    #expect(console.text == "")
  }

  @Test func `the version is printed`() {
    let console = CapturedConsole()
    #expect(console.run("--version") == 0)
    #expect(console.text == "\(MartletCommand.version)\n")
  }

  @Test func `values are taken apart from, and joined to, options and letters`() {
    for spelling in [
      "--input DIR/x", "--input=DIR/x", "-i DIR/x", "-iDIR/x", "-i=DIR/x",
    ] {
      let console = CapturedConsole()
      let model = Goldens.add + "/model.tflite"
      #expect(console.run("run \(model) \(spelling)") == 66)
      #expect(
        console.errors == "error: cannot read: No such file or directory (\(console.folder)/x)\n")
    }
  }

  @Test func `a reader that goes away ends the command quietly`() {
    let console = CapturedConsole()
    console.outputFailure = FileSystemError(.write, path: "standard output", code: 32)
    #expect(console.run("--version") == 74)
    #expect(console.errors == "")
  }

  @Test func `a full disk is told`() {
    let console = CapturedConsole()
    console.outputFailure = FileSystemError(.write, path: "standard output", code: 28)
    #expect(console.run("--version") == 74)
    #expect(
      console.errors == "error: cannot write: No space left on device (standard output)\n")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completion scripts name every option`(shell: String) {
    let console = CapturedConsole()
    #expect(console.run("--generate-completion-script \(shell)") == 0)
    #expect(console.text.contains("keep-all"))
    #expect(console.text.contains("optimized reference"))
  }

  @Test func `control characters are escaped and long lines cut`() {
    let console = CapturedConsole()
    let name = "a\u{1B}[31m\nb"
    #expect(MartletCommand.run(["run", name], console: console) == 66)
    #expect(
      console.errors
        == "error: cannot read: No such file or directory (a\\u{1B}[31m\\nb)\n")
    let long = CapturedConsole()
    _ = MartletCommand.run(["run", String(repeating: "x", count: 5000)], console: long)
    #expect(long.errors.count < 700)
    #expect(long.errors.contains("…"))
  }
}
