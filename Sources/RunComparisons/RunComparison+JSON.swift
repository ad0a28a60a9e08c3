// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
internal import ModelFormat
internal import Tensors
internal import Traces

extension RunComparison {
  /// The members of a `martlet/compare/1` document that say what was found.
  package func json(_ mode: Mode, limits: [DifferenceLimit]) -> JSON {
    .record([
      "tensors": .array(tensors.map(\.json)), "unpaired": .integer(unpairedCount),
      "first_difference": firstDifference(mode).map { tensors[$0].identity },
      "worst": worst(mode).map { tensors[$0].identity },
      "culprit": culprit.map {
        tensors[$0.tensor].identity.adding(["confirmed": .bool($0.isConfirmed)])
      },
      "failures": .array(
        failures(of: limits, mode).map { failure in
          tensors[failure.tensor].identity.adding([
            "limit": .string(failure.limit.description),
            "value": failure.value.map { .number($0) },
          ])
        }),
    ])
  }
}

extension RunComparison.Tensor {
  /// Which tensor it is.
  fileprivate var identity: JSON {
    .record([
      "subgraph": .integer(location.subgraph), "invocation": .integer(location.invocation),
      "node": .integer(node), "operator": .string(operatorName),
      "tensor": .integer(location.tensor), "name": .string(name),
    ])
  }

  fileprivate var json: JSON {
    identity.adding(["kernel": kernelName.map { .string($0) }]).adding(type.json).adding([
      "reference": referenceType?.json, "cumulative": cumulative?.json,
      "isolated": isolated?.json, "note": note.map { .string($0) },
    ])
  }
}

extension TensorDifference {
  /// The metrics by their names, those that there are.
  var json: JSON {
    let metrics = DifferenceMetric.allCases.compactMap { metric -> JSON.Member? in
      guard let value = metric.value(of: self) else { return nil }
      switch metric {
      case .differing: return JSON.Member(metric.rawValue, .integer(differingCount))
      case .maximumQuanta: return JSON.Member(metric.rawValue, .integer(maximumQuanta ?? 0))
      case .maximum, .meanSquare, .signalToNoise, .peakSignalToNoise, .cosine, .divergence:
        return JSON.Member(metric.rawValue, .number(value))
      }
    }
    return JSON.record(["elements": .integer(elementCount)]).adding(.object(metrics)).adding([
      "beyond_tolerance": .integer(excessCount),
      "worst_element": worst.map { element in
        [
          "position": .integer(element.position), "reference": .number(element.reference),
          "value": .number(element.other),
        ]
      },
    ])
  }
}
