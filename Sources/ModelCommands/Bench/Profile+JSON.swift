// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import Martlet
import OptimizedKernels
import Tensors

extension Profile {
  /// The members that a profile adds to the measurements.
  var members: JSON {
    .record([
      "profile_runs": .integer(observed.runs.count),
      "profile_ms": .number(milliseconds),
      "limits": limits.json,
      "profile_operators": .array(kinds.map(json)),
      "profile": .array(nodes.map { json($0) }),
    ])
  }

  private func json(_ kind: Kind) -> JSON {
    JSON.record([
      "operator": .string(kind.operatorName), "kernel": kind.kernelName.map { .string($0) },
      "count": .integer(kind.count), "own_ms": .number(kind.milliseconds),
      "share_percent": .number(share(kind.milliseconds)),
      "macs": kind.work.multiplyAdds.map(Self.count),
      "bytes_moved": kind.work.movedByteCount.map(Self.count),
    ]).adding(kind.work.rates(in: kind.milliseconds))
  }

  /// A mean of counts, mostly a whole number.
  private static func count(_ count: Double) -> JSON {
    Int(exactly: count).map { .integer($0) } ?? .number(count)
  }

  private func json(_ node: ProfiledNode) -> JSON {
    let times = node.times
    let ownTimes = Timings(times.ownTimes)
    return JSON.record([
      "subgraph": .integer(times.location.subgraph), "node": .integer(times.location.node),
      "members": times.membersJSON,
      "operator": .string(times.operatorName),
      "kernel": times.kernelName.map { .string($0) },
      "evaluations": .integer(times.evaluations),
      "ms": .number(times.total / Double(max(observed.runs.count, 1))),
      "min_ms": .number(times.fastest),
      "own_ms": .number(ownTimes.median), "own_min_ms": .number(ownTimes.minimum),
      "share_percent": .number(share(node.milliseconds)),
    ]).adding(node.workMembers).adding(node.work.rates(in: node.milliseconds))
  }
}

extension NodeProfile.Entry {
  /// The nodes that were computed together; nil where there is one.
  var membersJSON: JSON? { members.count > 1 ? .array(members.map { .integer($0) }) : nil }
}

extension ProfiledNode {
  /// What an evaluation has to do.
  var workMembers: JSON {
    func texts(_ types: [TensorType?]) -> JSON {
      .array(types.map { $0.map { .string($0.description) } ?? .null })
    }
    func count(_ count: Int?) -> JSON? { count.map { .integer($0) } }
    return .record([
      "inputs": texts(inputs), "outputs": texts(outputs),
      "macs": count(cost?.multiplyAdds),
      "element_operations": count(cost?.elementOperations),
      "bytes_read": count(cost?.inputByteCount),
      "bytes_constant": count(cost?.constantByteCount),
      "bytes_written": count(cost?.writtenByteCount),
    ])
  }
}

extension ProfiledWork {
  /// How fast the work is done in this time.
  func rates(in milliseconds: Double) -> JSON {
    .record([
      "gmac_per_s": gigaMACs(in: milliseconds).map { .number($0) },
      "gb_per_s": gigabytes(in: milliseconds).map { .number($0) },
      "limit_percent": limitPercent(in: milliseconds).map { .number($0) },
      "limited_by": bound.map { .string($0.rawValue) },
    ])
  }
}

extension MachineLimits {
  /// The limits for a program.
  var json: JSON {
    [
      "isa": .string(level), "threads": .integer(threadCount),
      "float_gmac_per_s": .number(floatRate / 1e9),
      "int8_gmac_per_s": .number(byteRate / 1e9),
      "memory": .array(
        memory.samples.map { sample in
          [
            "bytes": .integer(sample.byteCount),
            "read_gb_per_s": .number(sample.reading * Double(threadCount) / 1e9),
            "copy_gb_per_s": .number(sample.copying * Double(threadCount) / 1e9),
          ]
        }),
    ]
  }
}
