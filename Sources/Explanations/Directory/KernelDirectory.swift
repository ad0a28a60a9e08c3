// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels

/// An operator, or a type that its kernel is made of, and where it is written.
public struct KernelSource: Sendable, Equatable {
  /// The operator's name, or the type's without parameters.
  public let type: String
  /// The file, from the package's folder on.
  public let file: String
  /// The formula in the operator's record or the type's documentation, its lines joined; nil where
  /// it has none.
  public let formula: String?
}

extension KernelSource {
  /// What the record of an operator says.
  init(_ entry: CatalogEntry) {
    self.init(type: entry.name, file: entry.sourceFile, formula: entry.formula)
  }
}

/// Where the reference kernels are written, and the formulas that stand there.
///
/// Each table lists files, the types in each, two spaces in, and under a type, four spaces in, the
/// lines of its formula. A test compares the tables with the sources. The operators themselves stand
/// in their records, see `CatalogEntry`.
package enum KernelDirectory {
  /// The folder of the files.
  package static let folder = "Sources/ReferenceKernels"

  /// The tables.
  package static let tables = [elementwise, products, movements, reductions, others]

  /// The types that the name of a kernel, a type with parameters, mentions, in their order; without
  /// `LoopKernel`, which all loops have around them.
  package static func sources(of kernel: String) -> [KernelSource] {
    var seen: Set<String> = ["LoopKernel"]
    return kernel.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
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
