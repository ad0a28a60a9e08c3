// SPDX-License-Identifier: Apache-2.0

/// Why a tensor of a request cannot be read.
package struct InferenceTensorError: Error, Equatable {
  /// What the error is about.
  package enum Kind: Sendable {
    /// The form of the request.
    case request
    /// The tensor's shape, datatype or values.
    case tensor
  }

  /// What the error is about.
  package let kind: Kind
  /// What is wrong, in one sentence.
  package let reason: String
  /// Where the tensor lies in the input.
  package let location: String

  init(_ kind: Kind, _ reason: String, at location: String) {
    self.kind = kind
    self.reason = reason
    self.location = location
  }
}
