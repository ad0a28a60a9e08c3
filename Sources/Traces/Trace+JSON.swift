// SPDX-License-Identifier: Apache-2.0

internal import Formatting
package import JSONDocuments
internal import ModelFormat
package import Tensors

extension Trace {
  /// The members of a `martlet/trace/1` document that say what happened.
  package var json: JSON {
    [
      "subgraphs": .array(subgraphs.map(\.json)), "nodes": .array(nodes.map(\.json)),
      "histogram_edges": .array(Histogram.edges.map { .number($0) }),
      "tensors": .array(tensors.map(\.json)),
    ]
  }
}

extension Trace.Subgraph {
  fileprivate var json: JSON {
    [
      "subgraph": .integer(index), "name": .string(name),
      "invocations": .integer(invocationCount), "recorded": .integer(recordedCount),
    ]
  }
}

extension Trace.Node {
  fileprivate var json: JSON {
    .record([
      "subgraph": .integer(subgraph), "invocation": .integer(invocation), "node": .integer(node),
      "operator": .string(operatorName), "kernel": kernelName.map { .string($0) },
      "ms": .number(duration.milliseconds),
      "outputs": .array(outputs.map { .integer($0) }),
    ])
  }
}

extension Trace.Tensor {
  fileprivate var json: JSON {
    JSON.record([
      "subgraph": .integer(location.subgraph), "invocation": .integer(location.invocation),
      "tensor": .integer(location.tensor), "name": .string(name),
      "node": node.map { .integer($0) }, "array": arrayName.map { .string($0) },
    ]).adding(type.json).adding(["statistics": statistics?.json])
  }
}

extension TensorType {
  /// The members that describe a type: `type`, `shape`, and `scale` and `zero_point`, or with
  /// parameters by slice, `scales`, `zero_points` and `axis`.
  package var json: JSON {
    let affine = quantization?.perTensor
    let slices = quantization.flatMap { $0.isPerChannel ? $0 : nil }
    return .record([
      "type": .string(elementType.schemaName),
      "shape": .array(shape.dimensions.map { .integer($0) }),
      "scale": affine.map { .float($0.scale) },
      "zero_point": affine.map { .integer(Int($0.zeroPoint)) },
      "scales": slices.map { .array($0.scales.map { .float($0) }) },
      "zero_points": slices.map { .array($0.zeroPoints.map { .integer(Int($0)) }) },
      "axis": slices.map { .integer($0.axis) },
    ])
  }
}

extension TensorStatistics {
  /// The members of a `martlet/trace/1` document that describe values.
  package var json: JSON {
    .record([
      "elements": .integer(elementCount), "min": minimum.map { .number($0) },
      "max": maximum.map { .number($0) }, "mean": mean.map { .number($0) },
      "std": standardDeviation.map { .number($0) }, "zeros": .integer(zeroCount),
      "nans": .integer(nanCount), "infinities": .integer(infinityCount),
      "saturated_low": saturation.map { .integer($0.lowest) },
      "saturated_high": saturation.map { .integer($0.highest) }, "histogram": histogram.json,
    ])
  }
}

extension Histogram {
  /// The bins from the first to the last that hold something.
  fileprivate var json: JSON? {
    guard let first = counts.firstIndex(where: { $0 > 0 }),
      let last = counts.lastIndex(where: { $0 > 0 })
    else { return nil }
    return [
      "first_bin": .integer(first), "counts": .array(counts[first...last].map { .integer($0) }),
    ]
  }
}
