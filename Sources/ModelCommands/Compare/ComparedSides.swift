// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import Martlet
import ReferenceKernels
import Tensors

/// What `compare` compares with what.
struct ComparedSides {
  /// The side that the other is compared with.
  enum Reference {
    /// The model in a file, computed so.
    case model(String, ComputationOptions)
    /// Arrays in an npz file.
    case trace(String)
  }

  /// A.
  let reference: Reference
  /// The file of the model that is compared, B.
  let judged: String
  /// How B is computed.
  let computation: ComputationOptions

  /// `--kernels` and `--rounding`, with one word for both sides or one for each, and `--threads`.
  static let descriptions: [OptionDescription] = [
    .value(
      "kernels", "a[,b]", "Which kernels compute A and B: optimized or reference.",
      defaultValue: "optimized"),
    .value(
      "rounding", "a[,b]", "How quantized kernels of A and B round: double or single.",
      defaultValue: "double"),
    ComputationOptions.threads,
  ]

  init(_ arguments: ParsedArguments) throws(CommandError) {
    let first = try arguments.required("a")
    let second = arguments.argument("b")
    var kernels = try Self.words("kernels", ["optimized", "reference"], arguments)
    let roundings = try Self.words("rounding", Rounding.allCases.map(\.rawValue), arguments)
    let traces = [first, second].compactMap(\.self).filter { $0.lowercased().hasSuffix(".npz") }
    if second == nil, traces.isEmpty {
      if kernels == nil, roundings?.count ?? 0 < 2 { kernels = ["reference", "optimized"] }
      guard kernels?.count == 2 || roundings?.count == 2 else {
        throw arguments.usage(
          "nothing to compare '\(first)' with",
          hint: "name another model or a trace, or give --kernels or --rounding two words")
      }
    }
    let threads = try arguments.threadCount()
    func computation(_ kernels: String?, _ rounding: String?) -> ComputationOptions {
      ComputationOptions(
        kernels: kernels == "reference" ? .reference : .optimized,
        rounding: rounding.flatMap(Rounding.init) ?? .double, threadCount: threads)
    }
    self.computation = computation(kernels?.last, roundings?.last)
    guard let trace = traces.first else {
      reference = .model(first, computation(kernels?.first, roundings?.first))
      judged = second ?? first
      return
    }
    guard let second, traces.count == 1 else {
      throw arguments.usage("a trace is compared with a model", hint: "name one of each")
    }
    guard kernels?.count ?? 1 == 1, roundings?.count ?? 1 == 1 else {
      throw arguments.usage("two kinds of kernels or rounding beside a trace")
    }
    reference = .trace(trace)
    judged = trace == first ? second : first
  }

  /// The words of an option, one or two; nil where it is not given.
  private static func words(
    _ name: String, _ known: [String], _ arguments: ParsedArguments
  ) throws(CommandError) -> [String]? {
    guard let text = arguments.value(name) else { return nil }
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard words.count <= 2, words.allSatisfy(known.contains) else {
      throw arguments.usage(
        "'\(text)' for '--\(name)', wanted one or two of \(known.joined(separator: ", "))")
    }
    return words
  }

  /// The sides for a reader.
  var text: String {
    let first =
      switch reference {
      case .model(let path, let computation): "\(path)\n   \(computation.summary)"
      case .trace(let path): path
      }
    return "A  \(first)\nB  \(judged)\n   \(computation.summary)"
  }

  /// The sides for a program.
  var members: JSON {
    let first: JSON =
      switch reference {
      case .model(let path, let computation):
        JSON.record(["model": .string(path)]).adding(computation.members)
      case .trace(let path): ["trace": .string(path)]
      }
    return [
      "a": first, "b": JSON.record(["model": .string(judged)]).adding(computation.members),
    ]
  }
}
