// SPDX-License-Identifier: Apache-2.0

import Formatting

/// How long the steps of one image took.
struct ImageTimes: Sendable {
  /// A step.
  enum Step: String, CaseIterable {
    /// Reading the file and decoding it.
    case decode
    /// Resizing, normalizing and quantizing into the model's input.
    case preprocess
    /// Running the model.
    case inference
    /// Turning outputs into classes or boxes.
    case postprocess

    /// The name of the mean over all images.
    var metric: String { "\(rawValue)_ms" }

    /// What a reader is told.
    var title: String {
      switch self {
      case .decode: "decoding"
      case .preprocess: "preprocessing"
      case .inference: "inference"
      case .postprocess: "postprocessing"
      }
    }
  }

  private var durations: [Step: Duration] = [:]

  /// Does a step and takes its time.
  mutating func measure<Result, Failure: Error>(
    _ step: Step, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try body()
    durations[step] = clock.now - start
    return result
  }

  /// The mean of each step over the images of which all steps were done, in milliseconds.
  static func metrics(of times: [ImageTimes]) -> [EvalMetric] {
    Step.allCases.map { step in
      let measured = times.compactMap { $0.durations[step]?.milliseconds }
      return EvalMetric(
        name: step.metric, title: step.title,
        value: measured.isEmpty ? nil : Timings(measured).mean)
    }
  }
}
