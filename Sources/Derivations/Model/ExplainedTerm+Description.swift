// SPDX-License-Identifier: Apache-2.0

extension ExplainedTerm.Factor.Source: CustomStringConvertible {
  /// The source's name: `input 3`.
  public var description: String {
    switch self {
    case .input(let position): "input \(position)"
    case .output(let position): "output \(position)"
    case .computed(let name): name
    }
  }
}

extension [Int] {
  /// The numbers as an index: `[0,3,3,7]`.
  package var indexText: String { "[\(map(String.init).joined(separator: ","))]" }
}
