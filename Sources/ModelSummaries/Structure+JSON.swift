// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
internal import ModelFormat

extension ModelSummary.OperatorUse {
  /// The use for a program.
  package var json: JSON {
    [
      "name": .string(identity.name), "version": .integer(Int(identity.version)),
      "count": .integer(count), "supported": .bool(isSupported),
    ]
  }
}

extension PlanSummary.Location {
  /// The location for a program.
  package var json: JSON {
    [
      "tensor": .integer(tensor), "offset": .integer(offset), "bytes": .integer(byteCount),
      "first_node": .integer(lifetime.lowerBound), "last_node": .integer(lifetime.upperBound),
    ]
  }
}
