// SPDX-License-Identifier: Apache-2.0

internal import ModelFormat
internal import ReferenceKernels
internal import Tensors

extension InferenceError: CustomStringConvertible {
  /// What is wrong, without the location.
  public var sentence: String {
    switch reason {
    case .file(let error): "cannot read \(error.path.printable): \(error)"
    case .model(let error): error.reason.description
    case .kernel(let error) where error.kind == .unsupportedType:
      Self.cut(error.reason) + acceptedTypes
    case .kernel(let error): Self.cut(error.reason)
    case .unsupportedOperator(let name): Self.refusal(of: name)
    case .memoryLimit(let needed?, let limit):
      "\(needed) bytes of memory needed, the limit is \(limit)"
    case .memoryLimit(nil, let limit): "more memory needed than the limit of \(limit) bytes"
    case .operationLimit(let needed, let limit):
      "\(needed.map { "\($0)" } ?? "more than 2^63") operations needed, the limit is \(limit)"
    case .workLimit(let needed, let limit):
      "\(needed.map { "\($0)" } ?? "more than 2^63") units of work needed, the limit is \(limit)"
    case .timeLimit(let duration): "not done within the limit of \(duration)"
    case .invalidRequest(let problem), .invalidGraph(let problem): problem
    case .cancelled: "cancelled"
    }
  }

  /// The variants that the operator of the location takes, as the end of a sentence.
  private var acceptedTypes: String {
    let names = path.compactMap { step in
      if case .operator(_, let name) = step { name } else { nil }
    }
    guard let name = names.last,
      let entry = OperatorCatalog.entries.first(where: { $0.name == name })
    else { return "" }
    let variants = entry.variants.prefix(Self.listedVariants).joined(separator: " ")
    let rest = entry.variants.count - Self.listedVariants
    return ": \(name) takes \(variants)" + (rest > 0 ? " and \(rest) more" : "")
  }

  private static let listedVariants = 24

  /// `reason`, which may list what a tensor holds, in a length that is read.
  private static func cut(_ reason: String) -> String {
    reason.utf8.count <= reasonLimit ? reason : "\(reason.prefix(reasonLimit))…"
  }

  private static let reasonLimit = 400

  /// Why there is no kernel of this name, and what can be done about it.
  private static func refusal(of name: String) -> String {
    let refusal = "operator \(name.printable) is not supported"
    if name.hasPrefix("Flex") {
      return refusal + ": it calls TensorFlow itself; convert the model with TensorFlow Lite's "
        + "own operators only, or register an operator of this name"
    }
    if name.hasPrefix("BUILTIN_") { return refusal + ": the schema known here has no such code" }
    if OperatorCode.allCases.contains(where: { $0.schemaName == name }) {
      return refusal + ": TensorFlow Lite's runtime has no kernel for it either"
    }
    return refusal + ": it is a custom operator, which the program that needs it must register"
  }

  /// The steps to the fault, joined by `›`; empty for the model as a whole.
  public var location: String { path.map(\.description).joined(separator: " › ") }

  /// What is wrong and where, on one line.
  public var description: String { location.isEmpty ? sentence : "\(sentence) (\(location))" }
}
