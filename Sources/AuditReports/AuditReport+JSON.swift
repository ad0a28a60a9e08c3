// SPDX-License-Identifier: Apache-2.0

internal import ImageCodecs
internal import Imaging
package import JSONDocuments
internal import MetadataDocuments
internal import ModelChecks
internal import ModelFormat
internal import ModelSummaries
internal import RunComparisons
internal import Tensors
internal import Traces

extension AuditReport {
  /// The name of the document's form.
  static let schema = "martlet/report/1"

  /// The facts of the report for programs.
  package var json: JSON {
    .record([
      "schema": .string(Self.schema), "model": identity.json,
      "findings": .array(findings.map(\.json)),
      "inputs": .array(inputs.map(\.json)), "outputs": .array(outputs.map(\.json)),
      "operators": .array(operators.map(\.json)),
      "macs": totalMultiplyAdds.map { .integer($0) }, "weight_bytes": .integer(weightByteCount),
      "metadata": metadata?.json, "layers": .array(layers.map(\.json)),
      "memory": memory?.json, "weights": .array(weights.map(\.json)),
      "determinism": proof.json, "scores": .array(scores.map(\.json)),
      "picture": image?.json, "answer": answer?.json,
    ])
  }
}

extension ModelIdentity {
  fileprivate var json: JSON {
    .record([
      "file": .string(fileName), "bytes": .integer(byteCount), "sha256": .string(digest),
      "schema_version": .integer(schemaVersion), "description": .string(description),
      "min_runtime": minimumRuntime.isEmpty ? nil : .string(minimumRuntime),
      "subgraphs": .integer(subgraphCount), "nodes": .integer(nodeCount),
      "input_sha256": .array(inputDigests.map { .string($0) }),
      "martlet": .string(engineVersion), "kernels": .string(kernels),
      "instruction_set": .string(instructionSet), "rounding": .string(rounding),
      "threads": .integer(threadCount), "date": date.map { .string($0) },
      "command": command.isEmpty ? nil : .string(command),
    ])
  }
}

extension GraphTensor {
  fileprivate var json: JSON {
    JSON.record(["tensor": .integer(tensor), "name": .string(name)])
      .adding(type?.json ?? .object([]))
  }
}

extension Layer {
  fileprivate var json: JSON {
    .record([
      "node": .integer(index), "operator": .string(operatorName), "version": .integer(version),
      "options": .string(attributes), "kernel": kernel.map { .string($0) },
      "state": .string(state), "inputs": .array(activations.map { .integer($0) }),
      "constants": .array(constants.map { .integer($0) }),
      "macs": multiplyAdds.map { .integer($0) },
      "parameter_bytes": .integer(parameterByteCount),
      "read_bytes": readByteCount.map { .integer($0) },
      "written_bytes": writtenByteCount.map { .integer($0) },
      "ms": milliseconds.map { .number($0) }, "outputs": .array(outputs.map(\.json)),
    ])
  }
}

extension LayerOutput {
  fileprivate var json: JSON {
    JSON.record(["tensor": .integer(tensor), "name": .string(name)]).adding(type.json).adding([
      "statistics": statistics?.json,
      "clipped": clipped.map {
        .record([
          "activation": .string($0.activation), "low": .number($0.low),
          "high": $0.high.map { .number($0) },
        ])
      },
      "constant_channels": constantChannels.map { .integer($0.count) },
      "other_kernels_differing": otherKernels.map { .integer($0.differingCount) },
      "other_kernels_max": otherKernels?.maximum.map { .number($0) },
      "isolated_snr_db": shadow?.isolated?.signalToNoise.map { .number($0) },
      "cumulative_snr_db": shadow?.cumulative?.signalToNoise.map { .number($0) },
      "cumulative_cosine": shadow?.cumulative?.cosine.map { .number($0) },
      "cumulative_mse": shadow?.cumulative?.meanSquare.map { .number($0) },
      "shadow_note": shadow?.note.map { .string($0) },
    ])
  }
}

extension MemoryFacts {
  fileprivate var json: JSON {
    [
      "arena_bytes": .integer(arenaByteCount), "lower_bound": .integer(lowerBound),
      "sum_bytes": .integer(totalByteCount), "peak_bytes": .integer(peak.byteCount),
      "peak_node": .integer(peak.node),
      "places": .array(locations.map(\.json)),
    ]
  }
}

extension WeightTensor {
  fileprivate var json: JSON {
    JSON.record(["tensor": .integer(tensor), "name": .string(name)]).adding(type.withoutSlices.json)
      .adding([
        "bytes": .integer(byteCount), "min": minimum.map { .number($0) },
        "max": maximum.map { .number($0) }, "zero_share": .number(zeroShare),
        "codes_used": usedValues.map { .integer($0) }, "codes": quantizedCount.map { .integer($0) },
        "scale_min": scaleRange.map { .float($0.lowerBound) },
        "scale_max": scaleRange.map { .float($0.upperBound) },
        "duplicate_of": duplicateOf.map { .integer($0) },
      ])
  }
}

extension TensorType {
  /// The type without scales by slice, which are many.
  fileprivate var withoutSlices: TensorType {
    quantization?.isPerChannel == true ? TensorType(elementType, shape) : self
  }
}

extension DeterminismProof {
  fileprivate var json: JSON {
    [
      "deterministic": .bool(isDeterministic), "same_everywhere": .bool(agreesEverywhere),
      "runs": .array(
        rows.map { row in
          .record([
            "kernels": .string(row.kernels),
            "instruction_set": row.instructionSet.map { .string($0) },
            "threads": .integer(row.threadCount),
            "sha256": .array(row.digests.map { .string($0) }),
          ])
        }),
    ]
  }
}

extension OutputScores {
  fileprivate var json: JSON {
    [
      "name": .string(name),
      "largest": .array(
        largest.map { ["element": .integer($0.index), "value": .number($0.value)] }),
    ]
  }
}

extension ImageFacts {
  fileprivate var json: JSON {
    .record([
      "file": .string(fileName), "sha256": fileDigest.isEmpty ? nil : .string(fileDigest),
      "width": .integer(storedSize.width), "height": .integer(storedSize.height),
      "orientation": .integer(orientation.rawValue), "seen_width": .integer(seen.width),
      "seen_height": .integer(seen.height), "fit": .string(fit), "filter": .string(filter),
      "channel_order": .string(channelOrder), "normalization": .string(normalization),
      "normalization_origin": .string(normalizationOrigin), "answer": answer.json,
      "occlusion": occlusion.map { map in
        [
          "of": .string(map.subject), "steps": .integer(map.steps),
          "losses": .array(map.losses.map { .number($0) }),
        ]
      },
    ])
  }
}

extension ImageFacts.Answer {
  fileprivate var json: JSON? {
    switch self {
    case .numbers: nil
    case .labels(let heads):
      .array(
        heads.map { head in
          [
            "output": .string(head.name),
            "labels": .array(
              head.classes.map { ["label": .string($0.label), "score": .number($0.score)] }),
          ]
        })
    case .objects(let things):
      .array(
        things.map { thing in
          [
            "label": .string(thing.label), "score": .number(thing.score),
            "box": [
              "x": .number(thing.frame.x), "y": .number(thing.frame.y),
              "width": .number(thing.frame.width), "height": .number(thing.frame.height),
            ],
          ]
        })
    case .points(let points):
      .array(
        points.map { point in
          [
            "name": .string(point.name), "x": .number(point.x), "y": .number(point.y),
            "score": .number(point.score),
          ]
        })
    }
  }
}
