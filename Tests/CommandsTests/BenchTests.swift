// SPDX-License-Identifier: Apache-2.0

import Commands
import JSONDocuments
import TestSupport
import Testing

/// Martlet bench.
@Suite struct BenchTests {
  @Test func `the document has the fields that programs depend on`() throws {
    let console = CapturedConsole()
    let model = Goldens.add + "/model.tflite"
    #expect(console.run("bench \(model) --runs 7 --warmup 1 --json --profile") == 0)
    let document = try JSON(parsing: console.output)
    #expect(document["schema"] == "martlet/bench/1")
    for key in [
      "first_ms", "min_ms", "median_ms", "mean_ms", "p95_ms", "load_ms", "prepare_ms",
      "initial_rss_bytes", "peak_rss_bytes",
    ] {
      let value = try #require(document[key]?.number, "\(key)")
      #expect(value > 0, "\(key)")
    }
    #expect(document["runs"] == 7)
    #expect(document["warmup"] == 1)
    #expect(document["threads"] == 1)
    #expect(document["kernels"] == "optimized")
    let node = document["profile"]?.array?.first
    #expect(node?["operator"] == "ADD")
    #expect(node?["node"] == 0)
    #expect(node?["evaluations"] == 7)
    let fastest = try #require(node?["min_ms"]?.number)
    let mean = try #require(node?["ms"]?.number)
    #expect(fastest > 0 && fastest <= mean * 1.001)
  }

  @Test func `the text shows times and memory`() {
    let console = CapturedConsole()
    #expect(console.run("bench \(Goldens.add)/model.tflite --runs 2 --kernels reference") == 0)
    #expect(console.text.contains("reference kernels, double rounding, 1 thread\n2 runs after 3\n"))
    #expect(console.text.contains("\nmedian "))
    #expect(console.text.contains("peak memory of the process "))
  }

  @Test func `percentiles of few measurements`() {
    let timings = Timings([4, 1, 3, 2])
    #expect(timings.minimum == 1)
    #expect(timings.median == 2.5)
    #expect(timings.mean == 2.5)
    #expect(timings.percentile95 == 4)
    let hundred = Timings((1...100).map(Double.init))
    #expect(hundred.percentile95 == 95)
    #expect(hundred.median == 50.5)
    #expect(Timings([]).median == 0)
  }
}
