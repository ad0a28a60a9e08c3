// SPDX-License-Identifier: Apache-2.0

import TextTasks

/// `martlet read`: what texts say.
package enum ReadCommand {
  package static let description = CommandDescription(
    "read", "Say what texts are about, or what in them answers a question.",
    discussion: """
      The model takes strings, or the numbers of tokens that the tokenizer in its metadata makes: a \
      regular expression's, BERT's or SentencePiece's. With --question, it is one that answers \
      questions, and each text is where the answer is looked for.
      """,
    arguments: [
      ArgumentDescription("model", "A .tflite file.", completion: .files(["tflite"])),
      ArgumentDescription("text", "A text.", isOptional: true, isRepeated: true),
    ],
    options: [
      .value(
        "lines", "file", "Read each line of a file as a text; - is standard input.",
        completion: .files(["txt"])),
      .value(
        "file", "file", "Read a file as one text; repeat for several.", isRepeated: true,
        completion: .files(["txt"])),
    ] + ReadTask.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in
    let texts = try texts(arguments, console)
    let setup = try TaskSetup(arguments, console, model: arguments.argument("model") ?? "")
    let task = try ReadTask.prepared(setup).make()
    return try TaskRun(task, setup).run(texts: texts)
  }

  private static func texts(
    _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) -> [String] {
    var texts = arguments.allArguments("text")
    if let path = arguments.value("lines") {
      texts += LabelMap.lines(of: try console.read(path)).filter { !$0.isEmpty }
    }
    for path in arguments.allValues("file") {
      texts.append(String(decoding: try console.read(path), as: UTF8.self))
    }
    guard !texts.isEmpty else {
      throw arguments.usage(
        "no text", hint: "'\(arguments.command) MODEL TEXT…', or --lines FILE, or --file FILE")
    }
    return texts
  }
}
