// SPDX-License-Identifier: Apache-2.0

/// A type that a kernel is made of, and where it is written.
public struct KernelSource: Sendable, Equatable {
  /// The type's name without parameters.
  public let type: String
  /// The file, from the package's folder on.
  public let file: String
  /// The formula in the type's documentation, its lines joined; nil where it has none.
  public let formula: String?
}

/// Where the reference kernels are written, and the formulas that stand there.
///
/// Each table lists files, the types in each, two spaces in, and under a type, four spaces in, the
/// lines of its formula. A test compares the tables with the sources.
package enum KernelDirectory {
  /// The folder of the files.
  package static let folder = "Sources/ReferenceKernels"

  /// The tables.
  package static let tables = [elementwise, products, movements, reductions, others]

  /// The types that `names`, of types with parameters, mention, in their order; without
  /// `LoopKernel`, which all loops have around them.
  package static func sources(of names: [String]) -> [KernelSource] {
    var seen: Set<String> = ["LoopKernel"]
    return names.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
      .compactMap { word in
        let name = String(word)
        guard let source = byType[name], seen.insert(name).inserted else { return nil }
        return source
      }
  }

  private static let byType: [String: KernelSource] = {
    let sources = tables.flatMap(parse)
    return Dictionary(sources.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
  }()

  /// The types of a table.
  package static func parse(_ table: String) -> [KernelSource] {
    var sources: [KernelSource] = []
    var (file, type) = ("", "")
    var formula: [Substring] = []
    func finish() {
      guard !type.isEmpty else { return }
      sources.append(
        KernelSource(
          type: type, file: "\(folder)/\(file)",
          formula: formula.isEmpty ? nil : formula.joined(separator: "\n")))
      type = ""
      formula = []
    }
    for line in table.split(separator: "\n") {
      if line.hasPrefix("    ") {
        formula.append(line.dropFirst(4))
      } else {
        finish()
        if line.hasPrefix("  ") { type = String(line.dropFirst(2)) } else { file = String(line) }
      }
    }
    finish()
    return sources
  }
}
