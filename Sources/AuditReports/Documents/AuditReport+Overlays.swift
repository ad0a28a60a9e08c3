// SPDX-License-Identifier: Apache-2.0

import Formatting
package import JSONDocuments
import ModelChecks
import RunComparisons
import Traces

extension AuditReport {
  /// The findings as a SARIF document.
  package var sarif: JSON { ModelCheck.sarif([(identity.fileName, findings)]) }

  /// What a line of the text output says.
  package var summary: String {
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count { $0.severity == .warning }
    return "\(layers.count) nodes, \(errors) error\(errors == 1 ? "" : "s"), "
      + "\(warnings) warning\(warnings == 1 ? "" : "s"), "
      + (proof.agreesEverywhere
        ? "the same bits everywhere"
        : proof.isDeterministic ? "deterministic" : "not deterministic")
  }

  /// Numbers for each node in the form that Model Explorer lays over a graph, by metric.
  ///
  /// Nodes are named by their output tensors, as Model Explorer's TensorFlow Lite adapter names
  /// them. Format: custom node data,
  /// <https://github.com/google-ai-edge/model-explorer/wiki/2.-User-Guide#custom-node-data>.
  package var modelExplorerOverlays: [(metric: String, overlay: JSON)] {
    var metrics: [(String, (Layer, LayerOutput) -> Double?)] = [
      ("macs", { layer, _ in layer.multiplyAdds.map(Double.init) }),
      ("parameter_bytes", { layer, _ in Double(layer.parameterByteCount) }),
      ("written_bytes", { layer, _ in layer.writtenByteCount.map(Double.init) }),
      ("saturated_share", { _, output in output.saturatedShare }),
      (
        "zero_share",
        { _, output in
          output.statistics.map { Double($0.zeroCount) / Double(max($0.elementCount, 1)) }
        }
      ),
      ("isolated_snr_db", { _, output in output.shadow?.isolated?.signalToNoise }),
      ("cumulative_snr_db", { _, output in output.shadow?.cumulative?.signalToNoise }),
    ]
    metrics.append(("ms", { layer, _ in layer.milliseconds }))
    return metrics.compactMap { metric, value in
      let results = layers.flatMap { layer in
        layer.outputs.compactMap { output -> JSON.Member? in
          guard let number = value(layer, output), number.isFinite else { return nil }
          return JSON.Member(output.name, ["value": .number(number)])
        }
      }
      guard !results.isEmpty else { return nil }
      // The first member of a name counts: names of tensors need not differ.
      var seen = Set<String>()
      let unique = results.filter { seen.insert($0.key).inserted }
      return (
        metric,
        [
          "main": .record([
            "results": .object(unique),
            "gradient": .array([
              ["stop": 0, "bgColor": "#fbfaf7"], ["stop": 1, "bgColor": "#6c9bbd"],
            ]),
          ])
        ]
      )
    }
  }

  /// The nodes one after another, as a timeline in the Trace Event Format, which Perfetto and
  /// chrome://tracing show; times are in microseconds.
  package var timeline: JSON { Self.timeline(of: identity.fileName, timelineEvents(process: 1)) }

  /// The document of events.
  static func timeline(of fileName: String, _ events: [JSON]) -> JSON {
    [
      "displayTimeUnit": "ms",
      "otherData": ["program": "martlet", "model": .string(fileName)],
      "traceEvents": .array(events),
    ]
  }

  /// The nodes as events of a process.
  func timelineEvents(process: Int) -> [JSON] {
    var start = 0.0
    return layers.compactMap { layer in
      guard let milliseconds = layer.milliseconds else { return nil }
      defer { start += milliseconds * 1000 }
      return [
        "name": .string(layer.title), "cat": "node", "ph": "X", "ts": .number(start),
        "dur": .number(milliseconds * 1000), "pid": .integer(process), "tid": 1,
        "args": .record([
          "kernel": layer.kernel.map { .string($0) },
          "macs": layer.multiplyAdds.map { .integer($0) },
        ]),
      ]
    }
  }
}
