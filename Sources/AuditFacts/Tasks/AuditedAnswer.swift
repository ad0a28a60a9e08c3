// SPDX-License-Identifier: Apache-2.0

public import AudioTasks
import Formatting
public import Martlet
import ModelChecks
public import ModelTasks
import TextTasks

/// What the task of a model says of a sound or a text, and the run that a report is about.
public struct AuditedAnswer {
  /// The interpreter, whose inputs are the text, or the first window of the sound.
  public let interpreter: Interpreter
  package let facts: TaskFacts

  /// How many classes have a curve.
  private static let curveLimit = 6

  /// What is heard in a sound, or its vectors, by what the model's outputs are.
  ///
  /// - Parameters:
  ///   - clip: the sound; of its windows the first is the run that the report is about.
  ///   - fileName: what its file is called.
  ///   - model: a model that takes sound.
  ///   - input: what the model cannot say of its input.
  ///   - hearing: when a word counts as heard, for models of microWakeWord.
  ///   - options: how the model is run.
  ///   - count: how many classes of a window are shown.
  /// - Throws: `AudioTaskError` where the model takes no sound, or not this one.
  public init(
    _ clip: AudioClip, fileName: String, to model: Model,
    input: AudioInput.Options = AudioInput.Options(),
    hearing: MicroWakeWordDetector.Options = MicroWakeWordDetector.Options(),
    options: Interpreter.Options = Interpreter.Options(), count: Int = 5
  ) throws(AudioTaskError) {
    let givesVectors = TaskRecognition(model).fits.first?.task == .embed
    var facts = TaskFacts(givesVectors ? .embed : .listen, .sound, of: fileName)
    let taken: AudioInput
    if givesVectors {
      var embedding = AudioEmbedder.Options()
      (embedding.input, embedding.interpreter) = (input, options)
      let embedder = try AudioEmbedder(model, options: embedding)
      let results = try embedder.embed(clip)
      facts.times = results.map(\.milliseconds)
      for result in results.prefix(1) { facts.add(result.embeddings) }
      _ = try embedder.embed(clip.beginning(embedder.windowFrameCount, embedder.input))
      (interpreter, taken) = (embedder.interpreter, embedder.input)
    } else if MicroWakeWordDetector.takes(model) {
      var hearing = hearing
      hearing.interpreter = options
      let detector = try MicroWakeWordDetector(model, options: hearing)
      facts.add(try detector.process(clip), threshold: hearing.threshold)
      detector.reset()
      _ = try detector.process(clip.beginning(detector.stepFrameCount, detector.input))
      (interpreter, taken) = (detector.interpreter, detector.input)
    } else {
      var classification = AudioClassifier.Options()
      (classification.input, classification.interpreter) = (input, options)
      classification.scoreThreshold = -.infinity
      let classifier = try AudioClassifier(model, options: classification)
      facts.add(try classifier.classify(clip), count: count, curves: Self.curveLimit)
      _ = try classifier.classify(clip.beginning(classifier.windowFrameCount, classifier.input))
      (interpreter, taken) = (classifier.interpreter, classifier.input)
    }
    let seconds = Double(clip.frameCount) / Double(max(clip.sampleRate, 1))
    facts.input = [
      ("Sound", fileName.printable), ("Seconds", seconds.short(6)),
      ("Its sample rate", "\(clip.sampleRate) Hz, \(clip.channelCount) channels"),
      ("The model's sample rate", "\(taken.sampleRate) Hz, \(taken.channelCount) channels"),
      ("Windows", "\(facts.times.count)"),
      ("A window", taken.frameCount.map { "\($0) frames" } ?? "the whole sound"),
      ("The run below", "the first window"),
    ]
    self.facts = facts
  }

  /// What a text says, what in it answers a question, or its vectors.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - question: what is asked about it; nil for nothing.
  ///   - model: a model that takes text.
  ///   - options: how the model is run.
  ///   - count: how many classes are shown.
  /// - Throws: `TaskError` where the model takes no text, or not this one.
  public init(
    _ text: String, question: String? = nil, to model: Model,
    options: Interpreter.Options = Interpreter.Options(), count: Int = 5
  ) throws(TaskError) {
    let fit = TaskRecognition(model).fits.first?.task
    let task: ModelTask = question != nil ? .answer : fit == .embed ? .embed : .read
    var facts = TaskFacts(task, .text, of: text)
    if let question {
      let answerer = try QuestionAnswerer(model, options: options)
      let answers = try answerer.answers(to: question, in: text)
      facts.input = [("Question", question)]
      facts.add(
        "Answers, best first",
        [("Answer", false), ("First token", true), ("Last token", true), ("Logit", true)],
        answers.map { ["\($0.text)", "\($0.start)", "\($0.end)", Double($0.logit).short(6)] })
      interpreter = answerer.interpreter
    } else if task == .embed {
      let embedder = try TextEmbedder(model, interpreter: options)
      facts.add(try embedder.embed(text))
      interpreter = embedder.interpreter
    } else {
      var classification = TextClassifier.Options()
      classification.interpreter = options
      classification.scoreThreshold = -.infinity
      let classifier = try TextClassifier(model, options: classification)
      for head in try classifier.classify(text) {
        facts.add(
          "\(head.name.printable): the best classes", [("Class", false), ("Score", true)],
          head.classifications.prefix(count).map { [$0.text.printable, Double($0.score).fixed(4)] })
      }
      interpreter = classifier.interpreter
    }
    facts.input.append(("Text", text))
    let utf8 = Array(text.utf8)
    if let tokens = try model.tokens(of: text) {
      facts.add(
        "Tokens of the text", [("Number", true), ("Piece", false), ("Id", true), ("Text", false)],
        tokens.enumerated().map { number, token in
          [
            "\(number + 1)", token.piece.printable, "\(token.id)",
            String(decoding: utf8[token.range.clamped(to: 0..<utf8.count)], as: UTF8.self)
              .printable,
          ]
        })
    }
    self.facts = facts
  }
}

extension AudioClip {
  /// As many frames as give a window of the model, or all of them.
  fileprivate func beginning(_ windowFrameCount: Int?, _ input: AudioInput) -> AudioClip {
    guard let windowFrameCount else { return self }
    let ratio = Double(sampleRate) / Double(max(input.sampleRate, 1))
    let count = Double(windowFrameCount) * ratio
    return count < Double(frameCount) ? frames(0..<max(1, Int(count.rounded(.up)))) : self
  }
}

extension TaskFacts {
  /// Adds when a word was heard, and how likely it was over time.
  fileprivate mutating func add(_ results: [MicroWakeWordDetector.Result], threshold: Float) {
    times = results.map(\.milliseconds)
    add(
      "When the mean of the newest probabilities begins to exceed \(Double(threshold).short(3))",
      [("Milliseconds", true), ("Mean", true)],
      results.filter(\.isHeard).map { ["\($0.milliseconds)", Double($0.mean).fixed(4)] })
    curveCaption = "How likely the word is; a point stands where its step ends"
    curves = [
      Curve(name: "probability", scores: results.map { Double($0.probability) }),
      Curve(name: "mean", scores: results.map { Double($0.mean) }),
    ]
  }

  /// Adds what was heard: a table of each window, and the best classes over time.
  fileprivate mutating func add(
    _ results: [AudioClassifier.Result], count: Int, curves limit: Int
  ) {
    times = results.map(\.milliseconds)
    add(
      "Windows and their best classes",
      [("Milliseconds", true), ("Output", false), ("Class", false), ("Score", true)],
      results.flatMap { result in
        result.heads.flatMap { head in
          head.classifications.prefix(count).map { found in
            [
              "\(result.milliseconds)", head.name.printable, found.text.printable,
              Double(found.score).fixed(4),
            ]
          }
        }
      })
    var best: [Int: Float] = [:]
    for found in results.compactMap(\.heads.first).flatMap(\.classifications) {
      best[found.index] = max(best[found.index] ?? found.score, found.score)
    }
    let chosen = best.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map(\.key)
    var (names, scores) = ([Int: String](), [Int: [Double]]())
    for result in results {
      var heard: [Int: Float] = [:]
      for found in result.heads.first?.classifications ?? [] {
        heard[found.index] = found.score
        names[found.index] = found.text
      }
      for index in chosen {
        scores[index, default: []].append(heard[index].map { Double($0) } ?? .nan)
      }
    }
    curves = chosen.map { Curve(name: (names[$0] ?? "").printable, scores: scores[$0] ?? []) }
  }
}
