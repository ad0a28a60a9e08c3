// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Formatting

extension ModelError: CustomStringConvertible {
  /// One line: the path, joined by `›`, and what is wrong there.
  public var description: String {
    let location = path.map(\.description).joined(separator: " › ")
    return location.isEmpty ? reason.description : "\(location): \(reason)"
  }
}

extension ModelError.Reason: CustomStringConvertible {
  /// What is wrong, without the location.
  public var description: String {
    switch self {
    case .notAModel(let found): "not a TensorFlow Lite model but \(found)"
    case .malformed(let error): "\(error)"
    case .unsupportedVersion(let version): "schema version \(version) is not supported, only 3 is"
    case .noSubgraphs: "the model has no subgraph"
    case .indexOutOfRange(let index, let count): "index \(index) is out of range 0..<\(count)"
    case .requiredButAbsent: "a tensor is required here"
    case .invalidQuantization(let problem): "invalid quantization: \(problem)"
    case .invalidSparsity(let problem): "invalid sparsity: \(problem)"
    case .wrongOptions(let found, let wanted): "options are \(found), but \(wanted) are wanted"
    case .invalid(let problem): problem
    }
  }
}

extension ModelError.Step: CustomStringConvertible {
  /// The step as the command line prints it, such as `operator 12 CONV_2D`.
  public var description: String {
    switch self {
    case .subgraph(let index): "subgraph \(index)"
    case .operator(let index, let name): "operator \(index) \(name.printable)".trimmed
    case .tensor(let index, let name): "tensor \(index) \(name.printable)".trimmed
    case .input(let index): "input \(index)"
    case .output(let index): "output \(index)"
    case .intermediate(let index): "intermediate \(index)"
    case .buffer(let index): "buffer \(index)"
    case .operatorCode(let index): "operator code \(index)"
    case .signature(let index, let name): "signature \(index) \(name.printable)".trimmed
    case .metadata(let name): "metadata \(name.printable)"
    }
  }
}

extension String {
  /// The text cut to 80 characters, with control characters escaped, fit for one line of output.
  package var printable: String { printable(upTo: 80) }

  /// The text cut to `limit` characters, with control characters escaped, fit for one line.
  package func printable(upTo limit: Int) -> String {
    var result = ""
    for scalar in unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .format, .privateUse, .unassigned: result += scalar.escaped(asASCII: true)
      case _ where scalar.actsOnText: result += scalar.escaped(asASCII: true)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return unicodeScalars.count > limit ? result + "…" : result
  }

  /// The text without a final space.
  fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
