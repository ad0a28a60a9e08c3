// SPDX-License-Identifier: Apache-2.0

import PageResources
package import ReferenceKernels

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
  package init(_ entry: CatalogEntry) {
    self.init(type: entry.name, file: entry.sourceFile, formula: entry.formula)
  }
}

extension KernelSource {
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
    var (sources, file) = ([String: KernelSource](), "")
    var (type, formula) = ("", [Substring]())
    func finish() {
      guard !type.isEmpty else { return }
      sources[type] = KernelSource(
        type: type, file: file, formula: formula.isEmpty ? nil : formula.joined(separator: "\n"))
      formula = []
    }
    for line in PageResource.kernelSources.text.split(separator: "\n") {
      guard !line.hasPrefix("    ") else {
        formula.append(line.dropFirst(4))
        continue
      }
      var words = line.split(separator: " ")
      if !line.hasPrefix(" ") {
        finish()
        type = ""
        file = "Sources/ReferenceKernels/\(words.removeFirst())"
      }
      for word in words {
        finish()
        type = String(word)
      }
    }
    finish()
    return sources
  }()
}
