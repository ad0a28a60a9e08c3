// SPDX-License-Identifier: Apache-2.0

import Commands
import Martlet
import ModelFormat
import ReferenceKernels
import TestSupport
import Testing

/// The optimized variants of the records.
@Suite struct OptimizedVariantsTests {
  /// The variant that a golden case is about: the one that its name begins with.
  private func variant(of name: String, _ entry: CatalogEntry) -> String? {
    entry.variants.filter { name == $0 || name.hasPrefix($0 + "_") }
      .max { $0.count < $1.count }
  }

  @Test(
    arguments: (OperatorCatalog.entries + OperatorCatalog.custom).filter {
      Goldens.operators.contains($0.name)
    })
  func `is what the golden cases plan`(entry: CatalogEntry) throws {
    var optimized: Set<String> = []
    for name in try Goldens.cases(of: entry.name) {
      guard let variant = variant(of: name, entry), !optimized.contains(variant),
        let model = try? Goldens.model("\(entry.name)/\(name)"),
        let interpreter = try? Interpreter(model), (try? interpreter.prepare()) != nil
      else { continue }
      // Some cases have nodes of other operators besides.
      let nodes = model.file.subgraphs[0].nodes
      for case (let node, .computed(let step)) in zip(nodes, interpreter.plan?.steps ?? [])
      where step.isOptimized && node.identity.name == entry.name {
        optimized.insert(variant)
      }
    }
    #expect(Set(entry.optimizedVariants) == optimized, "\(entry.name)")
  }
}

extension CatalogEntry: CustomTestStringConvertible {
  /// The operator's name.
  public var testDescription: String { name }
}
