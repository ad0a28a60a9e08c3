// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import Formatting
import JSONDocuments

/// What is heard at one time of a sound.
struct HeardSound {
  /// For a reader.
  var lines: [String] = []
  /// For a program; nil where nothing is to be told.
  var document: JSON?
  /// Rows of a table.
  var rows: [[String?]] = []
}

/// A model that hears sounds, whole or as they come.
struct SoundListener {
  /// The columns of a table.
  let columns: [String]
  /// What is heard in a whole sound.
  let answer: (AudioClip) throws(AudioTaskError) -> TaskAnswer
  /// What is heard now that a stream goes on.
  let process: (AudioClip) throws(AudioTaskError) -> [HeardSound]
  /// What is heard at the end of a stream.
  let finish: () throws(AudioTaskError) -> [HeardSound]
}

extension SoundListener {
  /// What a classifier says of each window.
  init(_ classifier: AudioClassifier) {
    func heard(_ results: [AudioClassifier.Result]) -> [HeardSound] {
      results.map { result in
        let window = TaskAnswer(result.heads)
        return HeardSound(
          lines: ["  at \(result.milliseconds) ms"] + window.lines.map { "  \($0)" },
          document: JSON.record(["milliseconds": .integer(result.milliseconds)])
            .adding(window.members),
          rows: window.rows.map { ["\(result.milliseconds)"] + $0 })
      }
    }
    columns = ["milliseconds"] + TaskAnswer.classColumns
    answer = { clip throws(AudioTaskError) in
      let windows = heard(try classifier.classify(clip))
      var answer = TaskAnswer()
      answer.lines = windows.isEmpty ? ["  no sound"] : windows.flatMap(\.lines)
      answer.rows = windows.flatMap(\.rows)
      answer.members = ["windows": .array(windows.compactMap(\.document))]
      return answer
    }
    process = { clip throws(AudioTaskError) in heard(try classifier.process(clip)) }
    finish = { () throws(AudioTaskError) in heard(try classifier.finish()) }
  }

  /// What the word is called that a detector listens for.
  static let word = "word"

  /// When a detector hears its only word.
  init(_ detector: WakeWordDetector) {
    self.init(reset: { detector.reset() }) { clip throws(AudioTaskError) in
      try detector.process(clip).map { result in
        HeardStep(
          milliseconds: result.milliseconds,
          score: result.scores[Self.word] ?? result.scores.values.max() ?? 0,
          isHeard: !result.detections.isEmpty)
      }
    }
  }

  /// When a detector hears its word.
  init(_ detector: MicroWakeWordDetector) {
    self.init(reset: { detector.reset() }) { clip throws(AudioTaskError) in
      try detector.process(clip).map {
        HeardStep(milliseconds: $0.milliseconds, score: $0.mean, isHeard: $0.isHeard)
      }
    }
  }

  /// A step of a stream that a detector of a word has heard.
  private struct HeardStep {
    let milliseconds: Int
    let score: Float
    let isHeard: Bool
  }

  private init(
    reset: @escaping () -> Void,
    steps: @escaping (AudioClip) throws(AudioTaskError) -> [HeardStep]
  ) {
    func heard(_ steps: [HeardStep]) -> [HeardSound] {
      steps.map { step in
        let (time, score) = (step.milliseconds, step.score)
        var heard = HeardSound(rows: [["\(time)", "\(score)"]])
        if step.isHeard {
          heard.lines = ["  heard at \(time) ms, \(Double(score).fixed(4))"]
          heard.document = ["milliseconds": .integer(time), "score": .float(score)]
        }
        return heard
      }
    }
    columns = ["milliseconds", "score"]
    answer = { clip throws(AudioTaskError) in
      // A sound is a stream of its own.
      reset()
      let results = try steps(clip)
      let sounds = heard(results)
      let best = results.map(\.score).reduce(0, max)
      var answer = TaskAnswer()
      answer.lines = sounds.flatMap(\.lines)
      if answer.lines.isEmpty {
        answer.lines = [
          results.isEmpty
            ? "  too short for a step of the model"
            : "  not heard; the best score is \(Double(best).fixed(4))"
        ]
      }
      answer.rows = sounds.flatMap(\.rows)
      answer.members = [
        "heard": .array(sounds.compactMap(\.document)), "best": .float(best),
      ]
      return answer
    }
    process = { clip throws(AudioTaskError) in heard(try steps(clip)) }
    finish = { [] }
  }
}
