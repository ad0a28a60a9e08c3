// SPDX-License-Identifier: Apache-2.0

import ModelFormat
import ReferenceKernels
import TestSupport
import Testing

/// What the catalogue claims, the goldens prove.
@Suite struct GoldenClaimTests {
  /// Operators that have no outputs or no variants of their own; others' cases run them.
  private static let companions: Set<String> = ["HASHTABLE", "HASHTABLE_IMPORT", "HASHTABLE_SIZE"]

  /// Operators that the runtime lacks and other libraries bring: `WarpingTests` and
  /// `MediaPipeTests` in `Tests/KernelTests/Custom` have values of these.
  private static let warping: Set<String> = [
    "Landmarks2TransformMatrix", "LiteRtMaxUnpooling2D", "Resampler", "TransformLandmarks",
    "TransformTensorBilinear",
  ]

  /// Whether the runtime lacks an operator; of text models' operators, `Tests/KernelTests/Text` has
  /// the originals' values.
  private static func isBeyondRuntime(_ entry: CatalogEntry) -> Bool {
    entry.chapter == .text || warping.contains(entry.name)
  }

  private static func cases(_ name: String) -> [String] { (try? Goldens.cases(of: name)) ?? [] }

  @Test func `every operator and variant of the catalogue has a golden case`() {
    for entry in OperatorCatalog.entries + OperatorCatalog.custom {
      let name = entry.name
      guard !Self.companions.contains(name), !Self.isBeyondRuntime(entry) else { continue }
      let cases = Self.cases(name)
      for variant in entry.variants {
        #expect(
          cases.contains { $0.hasPrefix("\(variant)_") || $0 == variant },
          "\(name) claims \(variant)")
      }
    }
  }

  @Test func `every custom operator that Martlet brings has a golden case`() {
    let entries = OperatorCatalog.custom.filter { !Self.isBeyondRuntime($0) }
    for name in entries.map(\.name) where !Self.companions.contains(name) {
      #expect(!Self.cases(name).isEmpty, "\(name)")
    }
  }

  @Test func `every archive of goldens belongs to an operator of the catalogue`() {
    let names = Set((OperatorCatalog.entries + OperatorCatalog.custom).map(\.name))
    #expect(Goldens.operators.count > 150)
    for name in Goldens.operators { #expect(names.contains(name)) }
  }
}
