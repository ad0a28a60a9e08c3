// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import ModelFormat

/// What `martlet bench` measured; times in milliseconds.
struct BenchResult {
  let model: String
  let computation: ComputationOptions
  let warmup: Int
  var load = 0.0
  var prepare = 0.0
  var first = 0.0
  var timings = Timings([])
  /// Resident before the model was loaded.
  var initialByteCount = 0
  var peakByteCount = 0
  var arenaByteCount: Int?
  var profile: Profile?
  /// How many nodes the text of a profile lists; nil for all.
  var listedNodeCount: Int?

  init(model: String, computation: ComputationOptions, warmup: Int) {
    self.model = model
    self.computation = computation
    self.warmup = warmup
  }

  /// The measurements for a reader.
  var text: String {
    var rows = [
      ["load", load.fixed(3)], ["prepare", prepare.fixed(3)], ["first", first.fixed(3)],
      ["min", timings.minimum.fixed(3)], ["median", timings.median.fixed(3)],
      ["mean", timings.mean.fixed(3)], ["p95", timings.percentile95.fixed(3)],
    ]
    rows = rows.map { $0 + ["ms"] }
    let memory = arenaByteCount.map { "arena \($0.byteText)\n" } ?? ""
    let text = """
      \(model.printable)
      \(computation.summary)
      \(timings.count) runs after \(warmup)
      \(TextTable(rows, left: [0, 2]).text)
      \(memory)peak memory of the process \(peakByteCount.byteText)
        \(max(0, peakByteCount - initialByteCount).byteText) above its state before loading
      """
    guard let profile else { return text }
    return text + "\n\n"
      + profile.text(nodeCount: listedNodeCount, median: timings.median)
  }

  /// The measurements for a program.
  var json: JSON {
    JSON.record(["schema": "martlet/bench/1", "model": .string(model)])
      .adding(computation.members)
      .adding([
        "runs": .integer(timings.count), "warmup": .integer(warmup),
        "load_ms": .number(load), "prepare_ms": .number(prepare), "first_ms": .number(first),
        "min_ms": .number(timings.minimum), "median_ms": .number(timings.median),
        "mean_ms": .number(timings.mean), "p95_ms": .number(timings.percentile95),
        "initial_rss_bytes": .integer(initialByteCount),
        "peak_rss_bytes": .integer(peakByteCount),
        "arena_bytes": arenaByteCount.map { .integer($0) },
      ])
      .adding(profile?.members ?? .record([:]))
  }
}
