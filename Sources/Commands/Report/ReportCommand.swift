// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import AuditFacts
import AuditReports
import BundledModels
import Compression
import FileAccess
import Imaging
import Martlet
import TaskCommands
import VisionTasks

/// `martlet report`: all that is to be known about a model and one run of it, as a page.
struct ReportCommand {
  let computation: ComputationOptions
  let inputs: RunInputs
  let preprocessing: Preprocessing
  var options: AuditOptions
  let path: String
  /// The image that becomes the input; nil where numbers do.
  let image: String?
  let sound: String?
  let text: String?
  let question: String?
  let console: any Console

  static let description = CommandDescription(
    "report", "Write an audit of a model and one run of it, as a page.",
    discussion: """
      The page is one HTML file that refers to nothing outside itself. It shows what the file \
      holds, what each node computed and what quantization cost it, where tensors lie in memory, \
      and whether other kernels, instruction sets and thread counts give the same bits; with a \
      image, also what the model sees, says, and looks at; with a sound or a text, what its task \
      says of that. Of a .task bundle, the page shows what its models say together of an image, what \
      the bundle holds, and all of that of each model. Inputs that nobody gives are made \
      up, but for the bundled model, which gets a bundled image. The same command writes the \
      same bytes unless times are asked for; the date of SOURCE_DATE_EPOCH is shown if it is set.
      """,
    arguments: [
      ArgumentDescription(
        "model", "The model or .task bundle; without it, the bundled classifier.", isOptional: true,
        completion: .files(["tflite", "task"]))
    ],
    options: [
      .value(
        "output", letter: "o", "file.html", "Where the page goes; - is standard output.",
        defaultValue: "report.html", completion: .files(["html"])),
      .value(
        "image", "file", "An image for the model's input.",
        completion: .files(ImageFiles.extensions)),
      .value("sound", "file", "A WAV file for the model's input.", completion: .files(["wav"])),
      .value("text", "text", "A text for the model's input."),
      .value("question", "text", "A question about --text, for a model that answers some."),
      .value("top", "n", "How many values of each output are shown.", defaultValue: "5"),
      .flag("times", "Time each node; times differ from run to run."),
    ] + ReportFiles.descriptions + RunInputs.descriptions.filter { $0.name != "signature" }
      + ComputationOptions.descriptions + [.json]
  ) { arguments, console throws(CommandError) in
    let report = try ReportCommand(arguments, console).document(arguments)
    try ReportFiles(arguments).write(report, console)
    let output = arguments.value("output") ?? "report.html"
    guard !arguments.flag("json") else {
      guard output != "-" else {
        throw arguments.usage("--json beside '--output -': only one of them fits standard output")
      }
      if arguments.value("output") != nil {
        try console.write(Array(report.html.utf8), to: output)
      }
      try console.print(report.json)
      return .success
    }
    try console.write(Array(report.html.utf8), to: output)
    if output != "-" {
      let lines = report.summary.split(separator: "\n").map { "  \($0)".narrow }
      try console.print(([output] + lines).joined(separator: "\n"))
    }
    return .success
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    computation = try ComputationOptions(arguments)
    let (model, given) = (arguments.argument("model"), arguments.value("image"))
    inputs = try RunInputs(arguments, madeUp: .random)
    preprocessing = inputs.images
    guard given == nil || !inputs.areGiven || arguments.value("fill") == nil else {
      throw arguments.usage("--image beside --fill: only one of them gives the input")
    }
    guard given == nil || inputs.files.isEmpty else {
      throw arguments.usage("--image beside --input: only one of them gives the input")
    }
    (sound, text) = (arguments.value("sound"), arguments.value("text"))
    question = arguments.value("question")
    let others = [given, sound, text].compactMap(\.self)
    guard others.count < 2, (sound ?? text) == nil || !inputs.areGiven || inputs.files.isEmpty
    else {
      throw arguments.usage("only one of --image, --sound, --text and --input gives the input")
    }
    guard (sound ?? text) == nil || arguments.value("fill") == nil else {
      throw arguments.usage("--fill beside --sound or --text: only one of them gives the input")
    }
    guard question == nil || text != nil else {
      throw arguments.usage("--question without --text")
    }
    guard (sound ?? text) == nil || model != nil else {
      throw arguments.usage("--sound and --text need a model")
    }
    if let model {
      path = try ModelPath(model).model
      image = given
    } else {
      let bundled = try ImagePaths(
        [], bundled: (BundledModels.digits, [BundledModels.digitSamples[3]]),
        command: arguments.command)
      path = bundled.model
      let isMadeUp = inputs.files.isEmpty && arguments.value("fill") == nil
      image = given ?? (isMadeUp ? bundled.images.first : nil)
    }
    var options = AuditOptions()
    options.topCount = try arguments.integer("top", default: 5, in: 1...1000)
    options.measuresTime = arguments.flag("times") || arguments.value("trace") != nil
    options.date = SourceDate(console.environment("SOURCE_DATE_EPOCH"))?.text
    options.command = arguments.repetition(of: Self.description, without: ReportFiles.names)
    self.options = options
    self.console = console
  }

  /// The report that the arguments ask for.
  private func document(
    _ arguments: ParsedArguments
  ) throws(CommandError) -> any ReportDocuments {
    guard path.lowercased().hasSuffix(".task") else {
      return try report(console.model(at: path, showsValues: true), path, arguments)
    }
    return try BundleReportCommand(self, arguments).document()
  }

  /// The report about one model.
  func report(
    _ model: Model, _ path: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> AuditReport {
    let answer = try self.answer(of: model)
    let interpreter: Interpreter
    if let answer {
      interpreter = answer.interpreter
    } else {
      interpreter = try naming(path) { () throws(InferenceError) in
        try Interpreter(model, options: computation.interpreter)
      }
    }
    var audited: AuditedImage?
    if let image {
      audited = try self.audited(image, for: interpreter)
    } else if answer == nil {
      try inputs.apply(
        to: interpreter, model: path, command: arguments.command, console: console)
    }
    return try Self.audited(interpreter, path, audited, answer, options)
  }

  /// The report about what an interpreter has been given.
  static func audited(
    _ interpreter: Interpreter, _ path: String, _ image: AuditedImage?, _ answer: AuditedAnswer?,
    _ options: AuditOptions
  ) throws(CommandError) -> AuditReport {
    do throws(AuditError) {
      return try AuditReport(
        of: interpreter, fileName: path, image: image, answer: answer, options: options)
    } catch {
      throw CommandError(error, model: path)
    }
  }

  /// What the model's task says of a sound or a text; nil where neither is given.
  private func answer(of model: Model) throws(CommandError) -> AuditedAnswer? {
    let count = options.topCount
    if let text {
      do throws(TaskError) {
        return try AuditedAnswer(
          text, question: question, to: model, options: computation.interpreter, count: count)
      } catch {
        throw CommandError(VisionError(error), file: path)
      }
    }
    guard let sound else { return nil }
    let clip: AudioClip
    let bytes = try console.read(sound)
    do throws(AudioFileError) { clip = try WAV.decode(bytes, limits: console.limits) } catch {
      throw .data("\(error)", location: sound)
    }
    let hearing = try WakeWordManifest.options(besideModel: path, console)
    do throws(AudioTaskError) {
      return try AuditedAnswer(
        clip, fileName: Folder.lastName(of: sound), to: model, hearing: hearing,
        options: computation.interpreter, count: count)
    } catch {
      throw .data("\(error)", location: path)
    }
  }

  private func audited(
    _ file: String, for interpreter: Interpreter
  ) throws(CommandError) -> AuditedImage {
    let bytes = try console.read(file)
    let image = try decodedImage(bytes, path: file, limits: console.limits)
    do throws(VisionError) {
      return try AuditedImage(
        PixelBuffer(image), orientation: image.orientation ?? .up,
        fileName: Folder.lastName(of: file),
        fileDigest: SHA256.hexadecimalDigest(bytes.span), preprocessing: preprocessing,
        to: interpreter)
    } catch {
      throw CommandError(
        error, model: interpreter.model, path: path, task: .input, images: preprocessing)
    }
  }
}

extension CommandError {
  /// A report's error as a command's.
  fileprivate init(_ error: AuditError, model: String) {
    switch error {
    case .inference(let error): self = .inference(error, model: model)
    case .vision(let error): self = .init(error, file: model)
    case .other(let words): self = .data(words, location: model)
    }
  }
}
