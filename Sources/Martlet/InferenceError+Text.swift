// SPDX-License-Identifier: Apache-2.0

internal import ModelFormat
internal import ReferenceKernels
internal import Tensors

extension InferenceError: CustomStringConvertible {
  /// What is wrong, without the place.
  public var sentence: String {
    switch reason {
    case .file(let error): "cannot read \(error.path.printable): \(error)"
    case .model(let error): error.reason.description
    case .kernel(let error): error.reason
    case .unsupportedOperator(let name): "operator \(name.printable) is not supported"
    case .memoryLimit(let needed?, let limit):
      "\(needed) bytes of memory needed, the limit is \(limit)"
    case .memoryLimit(nil, let limit): "more memory needed than the limit of \(limit) bytes"
    case .invalidRequest(let problem), .invalidGraph(let problem): problem
    case .cancelled: "cancelled"
    }
  }

  /// The steps to the fault, joined by `›`; empty for the model as a whole.
  public var place: String { path.map(\.description).joined(separator: " › ") }

  /// What is wrong and where, on one line.
  public var description: String { place.isEmpty ? sentence : "\(sentence) (\(place))" }
}
